import {
  compareText,
  instant,
  PEAKS,
  peaksOf,
  ratio,
  seconds,
  SPAN_SECONDS,
  type GpuStay,
  type Peaks,
  type Span,
  type UsageQuery,
} from '@septet/domain'

import { columnOf, HIGHEST } from './columns.ts'
import { AMONG, usageRows } from './packed-hours.ts'
import { storableText } from './storable.ts'
import { namespaceIds, wordIds } from './usage-row-sql.ts'
import type { UsageParts } from './usage-parts.ts'

type Found = {
  pod: number
  namespace: number
  workload: number
  model: number
  profile: number
  share: number
  devices: number
  first: number
  last: number
  began: number
  ended: number
  measured_gpu_seconds: number
  busy_gpu_seconds: number
  measured_seconds: number
} & Record<keyof Peaks, number | null>

/** Put together in the database: one row for each pod and kind of partition, and not one for each bucket. */
export async function readStays(parts: UsageParts, query: UsageQuery): Promise<readonly GpuStay[]> {
  const [cluster, held] = await Promise.all([parts.words.find(storableText(query.cluster)), parts.words.find('held')])
  if (cluster === undefined || held === undefined) return []
  const found = await parts.database.query<Found>(statement(query.span), [
    cluster,
    query.window.from,
    query.window.to,
    await wordIds(parts, query.workloads),
    await namespaceIds(parts, query),
    held,
  ])
  const ids = new Set(
    found.flatMap(({ pod, namespace, workload, model, profile }) => [pod, namespace, workload, model, profile]),
  )
  const texts = await parts.words.textsOf(ids)
  // Of the past there is time of which nothing recorded who held it.
  const stays = found.map((row) => toStay(row, texts)).filter(({ pod }) => pod !== '')
  return stays.toSorted(byPod)
}

/** A share is a mean over its bucket: the last digits of one pod's differ from row to row, and it would be several pods. */
const SHARE = 'round(share::numeric, 6)::float8'

const WORDS_READ = ['partition', 'namespace', 'workload', 'pod', 'model', 'profile', 'kind']
const READ = [...WORDS_READ, 'share', 'present', 'measured', 'busy', ...PEAKS.map(columnOf)]

const MILLISECONDS = 'extract(epoch from at) * 1000'

const statement = (span: Span): string => `
  select pod, namespace, workload, model, profile, ${SHARE} as share,
    count(distinct partition)::int as devices,
    min(${MILLISECONDS})::float8 as first,
    max(${MILLISECONDS})::float8 as last,
    min(${MILLISECONDS} + (${SPAN_SECONDS[span]} - present) * 1000)::float8 as began,
    max(${MILLISECONDS} + present * 1000)::float8 as ended,
    sum(share * measured) as measured_gpu_seconds,
    coalesce(sum(share * measured * busy), 0) as busy_gpu_seconds,
    sum(measured) as measured_seconds,
    ${HIGHEST}
  from ${usageRows(span, READ, AMONG)} as row
  where cluster = $1 and at >= to_timestamp($2::float8 / 1000) and at < to_timestamp($3::float8 / 1000)
    and ($4::int[] is null or workload = any($4::int[]))
    and ($5::int[] is null or namespace = any($5::int[]))
    and kind = $6
  group by pod, namespace, workload, model, profile, ${SHARE}`

function toStay(row: Found, texts: ReadonlyMap<number, string>): GpuStay {
  const text = (id: number): string => texts.get(id) ?? ''
  return {
    pod: text(row.pod),
    namespace: text(row.namespace),
    workload: text(row.workload),
    model: text(row.model),
    profile: text(row.profile),
    share: ratio(row.share),
    devices: row.devices,
    ...stayTimes(row),
    measuredGpuSeconds: row.measured_gpu_seconds,
    busyGpuSeconds: row.busy_gpu_seconds,
    measuredSeconds: seconds(row.measured_seconds),
    ...peaksOf((peak) => row[peak] ?? undefined),
  }
}

const byPod = (a: GpuStay, b: GpuStay): number =>
  compareText(a.pod, b.pod) ||
  compareText(a.namespace, b.namespace) ||
  compareText(a.workload, b.workload) ||
  compareText(a.model, b.model) ||
  compareText(a.profile, b.profile) ||
  a.share - b.share

/** When a stay began and ended: what its first bucket lacks lies before it, what its last one lacks behind it. */
function stayTimes(times: {
  readonly first: number
  readonly last: number
  readonly began: number
  readonly ended: number
}): Pick<GpuStay, 'from' | 'to'> {
  const { first, last, began, ended } = times
  return { from: instant(first === last ? first : began), to: instant(ended) }
}
