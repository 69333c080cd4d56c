import type { UsageTotal } from '../analyze/usage.ts'
import { instant, type Instant, type Window } from '../units.ts'
import { costTotals, type CostedTotal } from './cost-parts.ts'
import type { PriceBook } from './price.ts'
import { priceChanges, type PriceOf, pricesOf, type PricingRules } from './prices-of.ts'

/** What was used while one set of prices held. */
export type PricedPeriod = {
  readonly totals: readonly UsageTotal[]
  readonly priceOf: PriceOf
}

/** The stretches of a window in which no price changes, oldest first. */
export function pricePeriods(book: PriceBook, { from, to }: Window): readonly Window[] {
  const changes = priceChanges(book).filter((change) => change > from && change < to)
  const borders = [from, ...changes, to]
  return borders.slice(1).map((end, index) => ({ from: borders[index] ?? from, to: end }))
}

/** What was used while one set of prices held, which began to hold at `from` or before. */
export type PeriodTotals = { readonly from: Instant; readonly totals: readonly UsageTotal[] }

/** What periods cost, each at the prices that held when it began, however its totals are cut in time. */
export const costPeriods = (periods: readonly PeriodTotals[], priceOf: PriceOf): readonly CostedTotal[] =>
  periods.flatMap(({ from, totals }) => costTotals(totals, (gpu) => priceOf({ ...gpu, at: from })))

/** Usage of periods with the prices that held in each. */
export function pricedPeriods(
  book: PriceBook,
  { cluster, nodes }: Omit<PricingRules, 'at'>,
  periods: readonly PeriodTotals[],
): readonly PricedPeriod[] {
  return periods.map(({ from, totals }) => ({
    totals,
    priceOf: pricesOf(book, { cluster, nodes, at: instant(from) }),
  }))
}
