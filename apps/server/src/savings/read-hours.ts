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

/** Adds what was read of the hours from a place on. What is no longer stored is not known any less. */
export const joinAt =
  (place: number) =>
  (kept: ByHour = [], read: ByHour): ByHour => [
    ...kept.slice(0, place),
    ...read.map((hour, order) => hour ?? kept[place + order] ?? null),
  ]

export type Usage = Pick<UsageStore, 'rows' | 'totals' | 'coverage'>

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

/** GPU-hours of each of these workloads in each hour; with `isCounted` on these GPUs alone. */
export async function readHeldBy(
  usage: Usage,
  asked: HoursAsked,
  { workloads, isCounted }: { readonly workloads: readonly string[]; readonly isCounted?: (gpu: string) => boolean },
): Promise<ReadonlyMap<string, ByHour>> {
  const segments = await segmentsFor(usage, asked)
  const by = ['workload', ...(isCounted === undefined ? [] : ['gpu' as const])] as const
  const [seen, found] = await Promise.all([
    readSeen(usage, asked, segments),
    totalsByHour(usage, { ...asked, segments }, { by, kinds: ['held'], workloads }),
  ])
  const hoursFor = (workload: string): ByHour =>
    hoursOf(asked.window).map((hour) => {
      const share = seen.get(hour) ?? 0
      if (share < LEAST_SEEN) return null
      const own = (found.get(hour) ?? []).filter(
        ({ key }) => key.workload === workload && (isCounted?.(key.gpu ?? '') ?? true),
      )
      return own.reduce((sum, { gpuSeconds }) => sum + gpuSeconds, 0) / SPAN_SECONDS['1h'] / share
    })
  return new Map(workloads.map((workload) => [workload, hoursFor(workload)]))
}

/** Totals of a window from the rows that cover it. */
export async function readTotals(
  usage: Usage,
  asked: HoursAsked,
  filter: ReturnType<typeof filterOf>,
): Promise<readonly UsageTotal[]> {
  const segments = await segmentsFor(usage, asked)
  const { cluster } = asked
  return (
    await Promise.all(segments.map(({ span, window }) => usage.totals({ cluster, span, window, ...filter })))
  ).flat()
}

/** How many GPUs a pool had in each hour, and pools that stand in for it. */
export async function readPoolGpus(
  usage: Usage,
  asked: HoursAsked,
  isOf: (pool: string, model: string) => boolean,
): Promise<ByHour> {
  const segments = await segmentsFor(usage, asked)
  const [seen, own] = await Promise.all([
    readSeen(usage, asked, segments),
    totalsByHour(usage, { ...asked, segments }, { by: ['pool', 'model'] }),
  ])
  return hoursOf(asked.window).map((hour) => {
    const share = seen.get(hour) ?? 0
    if (share < LEAST_SEEN) return null
    const found = (own.get(hour) ?? []).filter(({ key }) => isOf(key.pool ?? '', key.model ?? ''))
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
