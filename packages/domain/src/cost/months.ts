import { type Span, SPAN_SECONDS, type UsageTotal } from '../analyze/usage.ts'
import { clampRatio } from '../analyze/figure.ts'
import { type Instant, instant, type Ratio, type Seconds, seconds, type Window } from '../units.ts'
import { type CostParts, costBy, type Costing, costTotals } from './cost-parts.ts'

/** One calendar month (UTC) of cost. Oversized is inside `used`: it is known per workload only. */
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
  readonly priceOf: Costing['priceOf']
  readonly now: Instant
}

/** The cost of each calendar month that has data, oldest first, at today's prices. */
export function monthsOf({ totals, span, priceOf, now }: MonthSources): MonthlyPoint[] {
  const buckets = Map.groupBy(new Set(totals.map(({ key }) => Number(key.at))), monthOf)
  const groups = costBy(costTotals(totals, { priceOf, oversizedOf: () => 0 }), ({ key }) => monthOf(Number(key.at)))
  return groups.map(({ key: month, cost }) => {
    const window = windowOf(month, now)
    const seen = seenWithin(window, buckets.get(month) ?? [], SPAN_SECONDS[span] * 1000)
    return { month, window, cost, seen: seconds(seen / 1000), coverage: clampRatio(seen / (window.to - window.from)) }
  })
}

/** The month until its end or until now, whichever comes first; never empty. */
function windowOf(month: string, now: Instant): Window {
  const from = startOfMonth(month)
  return { from: instant(from), to: instant(Math.max(from + 1, Math.min(now, startOfMonth(monthOf(from + 31 * DAY))))) }
}

/** Milliseconds of a window that lie in buckets of this length. */
const seenWithin = ({ to }: Window, buckets: readonly number[], length: number): number =>
  buckets.reduce((sum, at) => sum + Math.max(0, Math.min(at + length, to) - at), 0)

const DAY = 86_400_000

/** The calendar month (UTC) of an instant, `2026-08`. Days to dates by Howard Hinnant's civil_from_days. */
export function monthOf(at: number): string {
  const days = Math.floor(at / DAY) + 719_468
  const era = Math.floor(days / 146_097)
  const dayOfEra = days - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shifted = Math.floor((5 * dayOfYear + 2) / 153)
  const month = shifted < 10 ? shifted + 3 : shifted - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`
}

/** When a month begins, milliseconds since the epoch; by Hinnant's days_from_civil. */
function startOfMonth(month: string): number {
  const [yearText, monthText] = month.split('-')
  const number = Number(monthText)
  const year = Number(yearText) - (number <= 2 ? 1 : 0)
  const era = Math.floor(year / 400)
  const yearOfEra = year - era * 400
  const dayOfYear = Math.floor((153 * (number > 2 ? number - 3 : number + 9) + 2) / 5)
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return (era * 146_097 + dayOfEra - 719_468) * DAY
}
