import {
  compareText,
  PEAKS,
  peaksOf,
  USAGE_GROUPS,
  type Peaks,
  type TotalsQuery,
  type UsageGroup,
  type UsageTotal,
} from '@septet/domain'

import { columnOf, HIGHEST, REQUIRED_FIELDS } from './columns.ts'
import { AMONG, AMONG_GPUS, usageRows } from './packed-hours.ts'
import { storableText } from './storable.ts'
import { namespaceIds, wordIds } from './usage-row-sql.ts'
import type { UsageParts } from './usage-parts.ts'

type Sums = {
  gpu_seconds: number
  measured_gpu_seconds: number
  busy_gpu_seconds: number
  effective_measured_gpu_seconds: number
  effective_gpu_seconds: number
  idle_gpu_seconds: number
  oversized_gpu_seconds: number
  seconds: number
  measured_seconds: number
  rows: number
}
type Grouped = Sums & Record<keyof Peaks, number | null> & Partial<Record<UsageGroup, number | null>>

const SUMMED = [...REQUIRED_FIELDS, 'busy', 'effective', ...PEAKS.map(columnOf)]
const SUMS = `
  sum(share * present) as gpu_seconds,
  sum(share * measured) as measured_gpu_seconds,
  coalesce(sum(share * measured * busy), 0) as busy_gpu_seconds,
  coalesce(sum(share * measured) filter (where effective is not null), 0) as effective_measured_gpu_seconds,
  coalesce(sum(share * measured * effective), 0) as effective_gpu_seconds,
  sum(share * idle) as idle_gpu_seconds,
  sum(share * oversized) as oversized_gpu_seconds,
  sum(present) as seconds,
  sum(measured) as measured_seconds,
  ${HIGHEST},
  count(*)::int as rows`

/** Sums in the database, grouped by numbers of words; only the few grouped texts are looked up. */
export async function totalsSql(parts: UsageParts, query: TotalsQuery): Promise<readonly UsageTotal[]> {
  const cluster = await parts.words.find(storableText(query.cluster))
  if (cluster === undefined) return []
  const by = USAGE_GROUPS.filter((group) => query.by.includes(group))
  const grouped = await parts.database.query<Grouped>(statement(query, by), [
    cluster,
    query.window.from,
    query.window.to,
    await wordIds(parts, query.workloads),
    await namespaceIds(parts, query),
    await wordIds(parts, query.gpus),
    await wordIds(parts, query.kinds),
  ])
  const texts = await parts.words.textsOf(idsIn(grouped, by))
  return grouped.map((row) => toTotal(row, by, texts)).toSorted(byKey)
}

function statement(query: TotalsQuery, by: readonly UsageGroup[]): string {
  const groups = by.map((group) => (group === 'at' ? 'at' : columnOf(group)))
  const keys = by.map((group) => `${group === 'at' ? MILLISECONDS : columnOf(group)} as "${group}",`)
  const asked = FILTERS.filter(({ field }) => query[field] !== undefined)
  const among = query.gpus === undefined ? AMONG : AMONG_GPUS
  const rows = usageRows(query.span, [...SUMMED, ...groups, ...asked.map(({ column }) => column)], among)
  return `
    select ${keys.join(' ')} ${SUMS}
    from ${rows} as row
    where cluster = $1 and at >= to_timestamp($2::float8 / 1000) and at < to_timestamp($3::float8 / 1000)
      ${FILTERS.map((filter) => `and ${conditionOf(filter, asked.includes(filter))}`).join(' ')}
    ${groups.length === 0 ? '' : `group by ${groups.join(', ')}`}
    having count(*) > 0`
}

type Filter = {
  readonly field: 'workloads' | 'namespaces' | 'gpus' | 'kinds'
  readonly column: string
  readonly ids: string
}
const FILTERS: readonly Filter[] = [
  { field: 'workloads', column: 'workload', ids: '$4::int[]' },
  { field: 'namespaces', column: 'namespace', ids: '$5::int[]' },
  { field: 'gpus', column: 'gpu', ids: '$6::int[]' },
  { field: 'kinds', column: 'kind', ids: '$7::int[]' },
]
/** Every number of a parameter has to be there, also of one that asks for nothing. */
const conditionOf = ({ column, ids }: Filter, isAsked: boolean): string =>
  isAsked ? `${column} = any(${ids})` : `${ids} is null`

const MILLISECONDS = '(extract(epoch from at) * 1000)::float8'

function idsIn(rows: readonly Grouped[], by: readonly UsageGroup[]): Set<number> {
  const ids = new Set<number>()
  for (const row of rows) {
    for (const group of by) {
      const id = row[group]
      if (group !== 'at' && typeof id === 'number') ids.add(id)
    }
  }
  return ids
}

function toTotal(row: Grouped, by: readonly UsageGroup[], texts: ReadonlyMap<number, string>): UsageTotal {
  const textOf = (group: UsageGroup) => (group === 'at' ? String(row.at) : (texts.get(row[group] ?? 0) ?? ''))
  return {
    key: Object.fromEntries(by.map((group) => [group, textOf(group)])),
    gpuSeconds: row.gpu_seconds,
    measuredGpuSeconds: row.measured_gpu_seconds,
    busyGpuSeconds: row.busy_gpu_seconds,
    effectiveMeasuredGpuSeconds: row.effective_measured_gpu_seconds,
    effectiveGpuSeconds: row.effective_gpu_seconds,
    idleGpuSeconds: row.idle_gpu_seconds,
    oversizedGpuSeconds: row.oversized_gpu_seconds,
    seconds: row.seconds,
    measuredSeconds: row.measured_seconds,
    ...peaksOf((peak) => row[peak] ?? undefined),
    rows: row.rows,
  }
}

/** By time, then by the other fields in the order of `USAGE_GROUPS`. */
function byKey(a: UsageTotal, b: UsageTotal): number {
  for (const group of USAGE_GROUPS) {
    const [left, right] = [a.key[group] ?? '', b.key[group] ?? '']
    const order = group === 'at' ? Number(left) - Number(right) : compareText(left, right)
    if (order !== 0) return order
  }
  return 0
}
