import {
  HOUR_MS,
  instant,
  SPAN_SECONDS,
  type ClusterSnapshot,
  type Instant,
  type TotalsQuery,
  type UsageStore,
  type UsageTotal,
  type Window,
} from '@septet/domain'

import { segmentsOf, type Segment } from '../usage/segments.ts'
import type { SavingSubject } from './saving-subject.ts'

/** One entry for each hour of a window, first to last; null where too little of it was seen. */
export type ByHour = readonly (number | null)[]

/** What of stored usage is read: whole hours of UTC of one subject. */
export type HoursAsked = {
  readonly cluster: string
  readonly subject: SavingSubject
  readonly window: Window
  /** GPUs by which it is told whether an hour was seen. */
  readonly witnesses: readonly string[]
}

type Usage = Pick<UsageStore, 'rows' | 'totals' | 'coverage'>

/** Below this share of an hour the rest of it is anybody's guess. */
const LEAST_SEEN = 0.5

/**
 * GPU-hours of a subject in each hour. Of an hour that was seen in part it is as much as if the rest had been like it: counted
 * short, every gap would look like a saving.
 */
export async function readHours(usage: Usage, asked: HoursAsked): Promise<ByHour> {
  const segments = await segmentsFor(usage, asked)
  const [seen, own] = await Promise.all([
    readSeen(usage, asked, segments),
    totalsByHour(usage, { ...asked, segments }, filterOf(asked.subject)),
  ])
  return hoursOf(asked.window).map((hour) => {
    const share = seen.get(hour) ?? 0
    const totals = own.get(hour) ?? []
    const held = totals.filter(({ key }) => asked.subject.kind !== 'workload' || key.workload !== '')
    // Of the past nobody may have recorded who held what: then holding nothing is not known either.
    if (share < LEAST_SEEN || (held.length === 0 && totals.length > 0)) return null
    return held.reduce((sum, { gpuSeconds }) => sum + gpuSeconds, 0) / SPAN_SECONDS['1h'] / share
  })
}

/** How many GPUs a pool had in each hour. */
export async function readPoolGpus(usage: Usage, asked: HoursAsked, pool: string): Promise<ByHour> {
  const segments = await segmentsFor(usage, asked)
  const [seen, own] = await Promise.all([
    readSeen(usage, asked, segments),
    totalsByHour(usage, { ...asked, segments }, { by: ['pool'] }),
  ])
  return hoursOf(asked.window).map((hour) => {
    const share = seen.get(hour) ?? 0
    if (share < LEAST_SEEN) return null
    const found = (own.get(hour) ?? []).filter(({ key }) => key.pool === pool)
    return found.reduce((sum, { gpuSeconds }) => sum + gpuSeconds, 0) / SPAN_SECONDS['1h'] / share
  })
}

/** What picks the rows of a subject, and by what they are told apart. */
export function filterOf(subject: SavingSubject): Pick<TotalsQuery, 'by' | 'kinds' | 'workloads' | 'gpus'> {
  if (subject.kind === 'workload') return { by: ['workload'], kinds: ['held'], workloads: ['', subject.workload] }
  return { by: [], gpus: subject.gpus, ...(subject.kind === 'node' ? { kinds: ['held'] } : {}) }
}

const NODES_ASKED = 16
const OWN_ASKED = 8

/** A few GPUs of the subject and of nodes from all over the cluster: each of them tells whether readings were made. */
export function witnessesOf({ gpus }: SavingSubject, { nodes }: Pick<ClusterSnapshot, 'nodes'>): readonly string[] {
  const apart = Math.max(1, Math.ceil(nodes.length / NODES_ASKED))
  const others = nodes.filter((_, order) => order % apart === 0).flatMap((node) => node.gpus.slice(0, 1))
  return [...new Set([...gpus.slice(0, OWN_ASKED), ...others.map(({ id }) => id)])]
}

export const hourOf = (at: number): Instant => instant(Math.floor(at / HOUR_MS) * HOUR_MS)

function hoursOf({ from, to }: Window): number[] {
  return Array.from({ length: Math.max(0, (to - from) / HOUR_MS) }, (_, order) => from + order * HOUR_MS)
}

async function segmentsFor(usage: Usage, { cluster, window }: HoursAsked): Promise<readonly Segment[]> {
  const rolled = await usage.coverage(cluster, '1h')
  return segmentsOf(window, '1h', rolled?.to ?? instant(0))
}

/** Which share of each hour readings were made in: that of the GPU that was seen longest. */
async function readSeen(
  usage: Usage,
  { cluster, witnesses }: HoursAsked,
  segments: readonly Segment[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await Promise.all(
    segments.map(({ span, window }) => usage.rows({ cluster, span, window, gpus: witnesses })),
  )
  const byGpu = new Map<string, Map<number, number>>()
  for (const { gpu, at, share, present } of rows.flat()) {
    const hours = byGpu.get(gpu) ?? new Map<number, number>()
    byGpu.set(gpu, hours.set(hourOf(at), (hours.get(hourOf(at)) ?? 0) + share * present))
  }
  const seen = new Map<number, number>()
  for (const hours of byGpu.values()) {
    for (const [hour, present] of hours) {
      seen.set(hour, Math.max(seen.get(hour) ?? 0, Math.min(1, present / SPAN_SECONDS['1h'])))
    }
  }
  return seen
}

async function totalsByHour(
  usage: Usage,
  { cluster, segments }: { readonly cluster: string; readonly segments: readonly Segment[] },
  filter: ReturnType<typeof filterOf>,
): Promise<ReadonlyMap<number, readonly UsageTotal[]>> {
  const totals = await Promise.all(
    segments.map(({ span, window }) => usage.totals({ cluster, span, window, ...filter, by: ['at', ...filter.by] })),
  )
  return Map.groupBy(totals.flat(), ({ key }) => hourOf(Number(key.at)))
}
