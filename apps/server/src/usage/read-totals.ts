import {
  mergeTotals,
  pricePeriods,
  type PeriodTotals,
  type PriceBook,
  type UsageGroup,
  type UsageStore,
  type UsageTotal,
} from '@septet/domain'

import type { RangePlan } from './range-plan.ts'
import { floorTo, type Segment } from './segments.ts'

export type TotalsRequest = {
  readonly cluster: string
  readonly segments: readonly Segment[]
  readonly by: readonly UsageGroup[]
  /** Only what was held in these; left out: everything. */
  readonly namespaces?: readonly string[] | undefined
  /** Buckets are joined to steps of this many seconds when grouped by `at`. */
  readonly stepSeconds?: number
}

/** Totals over a window that is stored as rows of several spans, added up key by key. */
export async function readTotals(usage: UsageStore, request: TotalsRequest): Promise<readonly UsageTotal[]> {
  const { cluster, segments, by, namespaces, stepSeconds } = request
  const only = namespaces === undefined ? {} : { namespaces }
  const answers = await Promise.all(
    segments.map(async ({ span, window, share }) => {
      const read = await usage.totals({ cluster, span, window, by, ...only })
      return share === undefined ? read : read.map((total) => partOf(total, share))
    }),
  )
  const totals = answers.flat()
  return mergeTotals(stepSeconds === undefined ? totals : totals.map((total) => atStep(total, stepSeconds)), by)
}

type PeriodsRequest = Omit<TotalsRequest, 'segments'> & {
  readonly plan: RangePlan
  readonly book: PriceBook
}

/** Totals over a planned window, apart for each stretch of it in which no price changes; oldest first. */
export const readPeriods = (
  usage: UsageStore,
  { plan: { window, within }, book, ...request }: PeriodsRequest,
): Promise<readonly PeriodTotals[]> =>
  Promise.all(
    pricePeriods(book, window).map(async (period) => ({
      from: period.from,
      totals: await readTotals(usage, { ...request, segments: within(period) }),
    })),
  )

function atStep(total: UsageTotal, stepSeconds: number): UsageTotal {
  const { at } = total.key
  return at === undefined ? total : { ...total, key: { ...total.key, at: String(floorTo(Number(at), stepSeconds)) } }
}

/** All sums alike, so that they still add up; peaks and the number of rows are of the whole row. */
const partOf = (total: UsageTotal, share: number): UsageTotal => ({
  ...total,
  gpuSeconds: total.gpuSeconds * share,
  measuredGpuSeconds: total.measuredGpuSeconds * share,
  busyGpuSeconds: total.busyGpuSeconds * share,
  effectiveMeasuredGpuSeconds: total.effectiveMeasuredGpuSeconds * share,
  effectiveGpuSeconds: total.effectiveGpuSeconds * share,
  idleGpuSeconds: total.idleGpuSeconds * share,
  oversizedGpuSeconds: total.oversizedGpuSeconds * share,
  seconds: total.seconds * share,
  measuredSeconds: total.measuredSeconds * share,
})
