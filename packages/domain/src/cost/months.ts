import { dateOfDay, dateText, dayNumber } from '../analyze/civil-date.ts'
import { clampRatio } from '../analyze/figure.ts'
import { DAY_MS, type Instant, instant, type Ratio, type Seconds, seconds, type Window } from '../units.ts'
import { type CostParts, costBy } from './cost-parts.ts'
import { costPeriods, type PeriodTotals } from './priced-periods.ts'
import type { PriceOf } from './prices-of.ts'

/** One calendar month (UTC) of cost. */
export type MonthlyPoint = {
  /** `2026-08`. */
  readonly month: string
  /** From its first instant to its end, or to when it was read while it goes on. */
  readonly window: Window
  readonly cost: CostParts
  /** How much of the window the buckets with data cover. */
  readonly seen: Seconds
  /** The same as a share of the window. */
  readonly coverage: Ratio
}

/** Daily sums of calendar months, grouped by at, kind, pool, model and machine. */
export type MonthsRead = {
  /** Apart for each month and each stretch of it in which no price changes, so that months cost what their days do. */
  readonly periods: readonly PeriodTotals[]
  /** Up to when they were read. */
  readonly upTo: Instant
}

/** The cost of each calendar month that has data, oldest first, at the prices that held in each of its periods. */
export function monthsOf(read: MonthsRead | undefined, priceOf: PriceOf): MonthlyPoint[] {
  if (read === undefined) return []
  const { periods, upTo } = read
  const totals = periods.flatMap((period) => period.totals)
  const seenDays = totals.flatMap(({ key: { kind, at } }) => (kind === 'unobserved' ? [] : Number(at)))
  const buckets = Map.groupBy(new Set(seenDays), monthOf)
  const groups = costBy(costPeriods(periods, priceOf), ({ key }) => monthOf(Number(key.at)))
  return groups.map(({ key: month, cost }) => {
    const window = windowOf(month, upTo)
    const seen = seenWithin(window, buckets.get(month) ?? [])
    return { month, window, cost, seen: seconds(seen / 1000), coverage: clampRatio(seen / (window.to - window.from)) }
  })
}

/** The month until its end or until it was read, whichever comes first; never empty. */
function windowOf(month: string, upTo: Instant): Window {
  const from = startOfMonth(month)
  return {
    from: instant(from),
    to: instant(Math.max(from + 1, Math.min(upTo, startOfMonth(monthOf(from + 31 * DAY_MS))))),
  }
}

/** Milliseconds of a window that lie in these days. */
const seenWithin = ({ to }: Window, days: readonly number[]): number =>
  days.reduce((sum, at) => sum + Math.max(0, Math.min(at + DAY_MS, to) - at), 0)

/** The calendar month (UTC) of an instant, `2026-08`. */
export const monthOf = (at: number): string => dateText(dateOfDay(Math.floor(at / DAY_MS))).slice(0, 7)

/** When a month begins, milliseconds since the epoch. */
export function startOfMonth(month: string): number {
  const [year, number] = month.split('-')
  return dayNumber({ year: Number(year), month: Number(number), day: 1 }) * DAY_MS
}
