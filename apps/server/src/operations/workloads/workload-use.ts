import type { OutputOf, workloadsGet } from '@septet/contract'
import {
  SPAN_SECONDS,
  type Span,
  type TotalsQuery,
  type UsageQuery,
  type UsageStore,
  type UsageTotal,
  type Window,
} from '@septet/domain'

import { windowView } from '../answering/view.ts'

type Use = NonNullable<OutputOf<typeof workloadsGet>['use']>

export type UseOf = {
  readonly cluster: string
  readonly window: Window
  /** Whose use: of these workloads, on these GPUs, in these namespaces, as far as each is said. */
  readonly of: Pick<UsageQuery, 'workloads' | 'gpus' | 'namespaces'>
}

/** Up to a day and a half in steps of five minutes, up to six weeks in hours, beyond that in days. */
const LONGEST = { '5m': 1.5 * 86_400, '1h': 42 * 86_400, '1d': Infinity } satisfies Record<Span, number>
/** Hours and days are rolled up some time after they end: until then they are made from what is finer. */
const FINER = { '5m': undefined, '1h': '5m', '1d': '1h' } satisfies Record<Span, Span | undefined>
const SPANS: readonly Span[] = ['5m', '1h', '1d']

/** What was used over a window, bucket by bucket; undefined when nothing of it is stored. */
export async function usageOver(
  usage: Pick<UsageStore, 'totals'>,
  { cluster, window, of }: UseOf,
): Promise<Use | undefined> {
  const { buckets, step } = await bucketsOf(usage, { cluster, window, ...of, by: ['at'], kinds: ['held'] })
  return buckets.size === 0 ? undefined : useView(buckets, window, step)
}

type Held = { readonly step: number; readonly at: number[]; readonly held: (number | null)[] }

/** How much of some GPUs was held over a window, 0–1 of the time that they were known; undefined when they never were. */
export async function shareHeldOver(
  usage: Pick<UsageStore, 'totals'>,
  { cluster, window, of }: UseOf,
): Promise<Held | undefined> {
  const query = { cluster, window, ...of, by: ['at', 'kind'], kinds: ['held', 'free', 'stranded'] } as const
  const { buckets, step } = await bucketsOf(usage, query)
  if (buckets.size === 0) return undefined
  const at = startsOf(buckets, step)
  const held = at.map((start) => {
    const totals = buckets.get(start) ?? []
    const used = totals.filter(({ key }) => key.kind === 'held')
    return ratio(sum(used, 'gpuSeconds'), sum(totals, 'gpuSeconds')) ?? null
  })
  return { step: step / 1000, at: at.map((start) => start / 1000), held }
}

type Buckets = ReadonlyMap<number, readonly UsageTotal[]>

/** Totals by the start of their bucket, in steps that suit the window, in milliseconds. */
async function bucketsOf(
  usage: Pick<UsageStore, 'totals'>,
  query: Omit<TotalsQuery, 'span'>,
): Promise<{ readonly buckets: Buckets; readonly step: number }> {
  const { window } = query
  const seconds = (window.to - window.from) / 1000
  const span = SPANS.find((one) => seconds <= LONGEST[one]) ?? '1d'
  const read = (of: Span): Promise<readonly UsageTotal[]> => usage.totals({ ...query, span: of })
  const finer = FINER[span]
  const [coarse, fine] = await Promise.all([read(span), finer === undefined ? [] : read(finer)])
  const step = SPAN_SECONDS[span] * 1000
  const buckets = new Map<number, UsageTotal[]>()
  const put = (total: UsageTotal): unknown =>
    buckets.set(startOf(total, step), [...(buckets.get(startOf(total, step)) ?? []), total])
  for (const total of coarse) put(total)
  const rolledUp = new Set(buckets.keys())
  for (const total of fine) if (!rolledUp.has(startOf(total, step))) put(total)
  return { buckets, step }
}

const startOf = ({ key }: UsageTotal, step: number): number => Math.floor(Number(key.at ?? 0) / step) * step

/** From the first bucket that holds data to the last; one without data in between is a gap. */
function useView(buckets: Buckets, window: Window, step: number): Use {
  const at = startsOf(buckets, step)
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

function startsOf(buckets: Buckets, step: number): number[] {
  const first = Math.min(...buckets.keys())
  const last = Math.max(...buckets.keys())
  return Array.from({ length: (last - first) / step + 1 }, (_, order) => first + order * step)
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
