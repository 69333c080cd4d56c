import { type Span, SPAN_SECONDS, type UsageTotal } from '../analyze/usage.ts'
import { dateOfDay, dateText, dayNumber } from '../analyze/civil-date.ts'
import { clampRatio } from '../analyze/figure.ts'
import { DAY_MS, type Instant, instant, type Ratio, type Seconds, seconds, type Window } from '../units.ts'
import { type CostParts, costBy, costTotals } from './cost-parts.ts'
import type { PriceOf } from './prices-of.ts'

/** One calendar month (UTC) of cost. */
export type MonthlyPoint = {
  /** `2026-08`. */
  readonly month: string
  /** From its first instant to its end, or to now while it goes on. */
  readonly window: Window
  readonly cost: CostParts
  /** How much of the window the buckets with data cover. */
  readonly seen: Seconds
  /** The same as a share of the window. */
  readonly coverage: Ratio
}

export type MonthSources = {
  /** Grouped by at, kind, pool and model. */
  readonly totals: readonly UsageTotal[]
  readonly span: Span
  readonly priceOf: PriceOf
  readonly now: Instant
}

/** The cost of each calendar month that has data, oldest first, at the prices that held on each day. */
export function monthsOf({ totals, span, priceOf, now }: MonthSources): MonthlyPoint[] {
  const buckets = Map.groupBy(new Set(totals.map(({ key }) => Number(key.at))), monthOf)
  const groups = costBy(costTotals(totals, priceOf), ({ key }) => monthOf(Number(key.at)))
  return groups.map(({ key: month, cost }) => {
    const window = windowOf(month, now)
    const seen = seenWithin(window, buckets.get(month) ?? [], SPAN_SECONDS[span] * 1000)
    return { month, window, cost, seen: seconds(seen / 1000), coverage: clampRatio(seen / (window.to - window.from)) }
  })
}

/** The month until its end or until now, whichever comes first; never empty. */
function windowOf(month: string, now: Instant): Window {
  const from = startOfMonth(month)
  return {
    from: instant(from),
    to: instant(Math.max(from + 1, Math.min(now, startOfMonth(monthOf(from + 31 * DAY_MS))))),
  }
}

/** Milliseconds of a window that lie in buckets of this length. */
const seenWithin = ({ to }: Window, buckets: readonly number[], length: number): number =>
  buckets.reduce((sum, at) => sum + Math.max(0, Math.min(at + length, to) - at), 0)

/** The calendar month (UTC) of an instant, `2026-08`. */
export const monthOf = (at: number): string => dateText(dateOfDay(Math.floor(at / DAY_MS))).slice(0, 7)

/** When a month begins, milliseconds since the epoch. */
export function startOfMonth(month: string): number {
  const [year, number] = month.split('-')
  return dayNumber({ year: Number(year), month: Number(number), day: 1 }) * DAY_MS
}
