import type { OutputOf, workloadsGet } from '@septet/contract'
import { SPAN_SECONDS, type Span, type UsageStore, type UsageTotal, type Window } from '@septet/domain'

import { windowView } from './view.ts'

type Use = NonNullable<OutputOf<typeof workloadsGet>['use']>

export type UseOf = { readonly cluster: string; readonly workload: string; readonly window: Window }

/** Up to a day and a half in steps of five minutes, up to six weeks in hours, beyond that in days. */
const LONGEST = { '5m': 1.5 * 86_400, '1h': 42 * 86_400, '1d': Infinity } satisfies Record<Span, number>
/** Hours and days are rolled up some time after they end: until then they are made from what is finer. */
const FINER = { '5m': undefined, '1h': '5m', '1d': '1h' } satisfies Record<Span, Span | undefined>
const SPANS: readonly Span[] = ['5m', '1h', '1d']

/** What one workload used over a window, bucket by bucket; undefined when nothing of it is stored. */
export async function usageOver(
  usage: Pick<UsageStore, 'totals'>,
  { cluster, workload, window }: UseOf,
): Promise<Use | undefined> {
  const seconds = (window.to - window.from) / 1000
  const span = SPANS.find((one) => seconds <= LONGEST[one]) ?? '1d'
  const read = (of: Span): Promise<readonly UsageTotal[]> =>
    usage.totals({ cluster, span: of, window, workloads: [workload], by: ['at'], kinds: ['held'] })
  const finer = FINER[span]
  const [coarse, fine] = await Promise.all([read(span), finer === undefined ? [] : read(finer)])
  const step = SPAN_SECONDS[span] * 1000
  const buckets = new Map<number, UsageTotal[]>()
  for (const total of coarse) buckets.set(startOf(total, step), [total])
  const rolledUp = new Set(buckets.keys())
  for (const total of fine) {
    const at = startOf(total, step)
    if (!rolledUp.has(at)) buckets.set(at, [...(buckets.get(at) ?? []), total])
  }
  return buckets.size === 0 ? undefined : useView(buckets, window, step)
}

const startOf = ({ key }: UsageTotal, step: number): number => Math.floor(Number(key.at ?? 0) / step) * step

/** From the first bucket that holds data to the last; one without data in between is a gap. */
function useView(buckets: ReadonlyMap<number, readonly UsageTotal[]>, window: Window, step: number): Use {
  const first = Math.min(...buckets.keys())
  const last = Math.max(...buckets.keys())
  const at = Array.from({ length: (last - first) / step + 1 }, (_, order) => first + order * step)
  const values = (of: (totals: readonly UsageTotal[]) => number | undefined): (number | null)[] =>
    at.map((start) => {
      const totals = buckets.get(start)
      return totals === undefined ? null : (of(totals) ?? null)
    })
  return {
    window: windowView(window) ?? { from: '', to: '' },
    step: step / 1000,
    at: at.map((start) => start / 1000),
    busy: values((totals) => ratio(sum(totals, 'busyGpuSeconds'), sum(totals, 'measuredGpuSeconds'))),
    busyPeak: values((totals) => highest(totals.map(({ busyPeak }) => busyPeak))),
    memoryPeak: values((totals) => highest(totals.map(({ memoryPeak }) => memoryPeak))),
    held: values((totals) => heldIn(totals, step / 1000)),
  }
}

/**
 * GPU-equivalents, in a bucket through which all of its pods were seen. In others it is not known whether they were let go
 * or only not watched, as when Septet began in the middle of one: a gap, and no dip that never was.
 */
function heldIn(totals: readonly UsageTotal[], step: number): number | undefined {
  const rows = totals.reduce((all, total) => all + total.rows, 0)
  const seen = totals.reduce((all, total) => all + total.seconds, 0)
  return totals.length === 1 && seen >= THROUGHOUT * rows * step ? sum(totals, 'gpuSeconds') / step : undefined
}

const THROUGHOUT = 0.95

const sum = (totals: readonly UsageTotal[], field: 'busyGpuSeconds' | 'measuredGpuSeconds' | 'gpuSeconds'): number =>
  totals.reduce((all, total) => all + total[field], 0)

const ratio = (part: number, whole: number): number | undefined => (whole > 0 ? part / whole : undefined)

const highest = (values: readonly (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}
