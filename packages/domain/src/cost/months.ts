import { type Span, SPAN_SECONDS, type UsageTotal } from '../analyze/usage.ts'
import { clampRatio } from '../analyze/figure.ts'
import type { Instant, Ratio } from '../units.ts'
import { type CostParts, costBy, type Costing, costTotals } from './cost-parts.ts'

/** One calendar month (UTC) of cost. Oversized is inside `used`: it is known per workload only. */
export type MonthlyPoint = {
  /** `2026-08`. */
  readonly month: string
  readonly cost: CostParts
  /** Share of the month's seconds, to its end or to now, that data covers. */
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
  const seconds = new Map<string, Set<string>>()
  for (const { key } of totals) {
    const month = monthOf(Number(key.at))
    seconds.set(month, (seconds.get(month) ?? new Set()).add(key.at ?? ''))
  }
  const groups = costBy(costTotals(totals, { priceOf, oversizedOf: () => 0 }), ({ key }) => monthOf(Number(key.at)))
  return groups.map(({ key: month, cost }) => ({
    month,
    cost,
    coverage: clampRatio(((seconds.get(month)?.size ?? 0) * SPAN_SECONDS[span] * 1000) / elapsed(month, now)),
  }))
}

/** Milliseconds of a month until its end or until now, whichever comes first. */
function elapsed(month: string, now: Instant): number {
  const from = startOfMonth(month)
  const next = startOfMonth(monthOf(from + 31 * DAY))
  return Math.max(1, Math.min(now, next) - from)
}

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
