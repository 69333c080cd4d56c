import { type Instant, type Usd, usd, type Window } from '../units.ts'
import { toMillionths } from './cost-parts.ts'
import { type Forecast, forecastDays, learnDays } from './forecast.ts'

/** What a month may cost. */
export type Budget = {
  readonly id: string
  readonly cluster: string
  /** All GPUs of the cluster, or what one namespace or one tenant held. */
  readonly scope: { readonly kind: 'cluster' } | { readonly kind: 'namespace' | 'tenant'; readonly name: string }
  readonly usdPerMonth: number
  /** At which shares of it somebody wants to know, percent, lowest first. */
  readonly thresholds: readonly number[]
  /** The time zone in which its month begins. */
  readonly zone: string
}

/** What was seen of one day of a zone. */
export type DayCost = {
  /** `2026-11-21`. */
  readonly date: string
  readonly weekday: number
  readonly window: Window
  /** Of what was seen; undefined where nothing was, or nothing has a price. */
  readonly usd: number | undefined
  /** Which share of the day, as far as it has passed, was seen, 0 to 1. */
  readonly seen: number
}

/** What a month has cost, and what it will have cost when it is over. */
export type MonthOutlook = {
  /** `2026-11`. */
  readonly month: string
  /**
   * Sum of the known days, to now; to the millionth, as the cost of the month is. Undefined where no day has a cost, also on
   * the first: nothing spent where days are unknown is nothing known.
   */
  readonly spent: Usd | undefined
  /** Days before today of which too little was seen; the forecast has what is expected of the rest of them. */
  readonly unknownDays: number
  /** Of the whole month: what was spent and what is expected of the rest. */
  readonly forecast: Forecast
  /** What each day that is not known or not over is expected to cost, whole; empty without a forecast. */
  readonly expected: readonly { readonly date: string; readonly usd: Usd }[]
}

export type OutlookSources = {
  /** Oldest first: days before the month, as many as there are, and every day of the month, also those to come. */
  readonly days: readonly DayCost[]
  /** `2026-11`. */
  readonly month: string
  readonly now: Instant
}

/** A day of which less was seen is not learned from, and is told as unknown. */
const KNOWN_FROM = 0.9
/** Minutes that are missing are not worth an estimate. */
const NEXT_TO_NOTHING = 0.02

/** The month so far and to its end, learned from the days that are over. */
export function monthOutlook({ days, month, now }: OutlookSources): MonthOutlook {
  const over = days.filter(({ window }) => window.to <= now)
  const ofMonth = days.filter(({ date }) => date.startsWith(month))
  const open = ofMonth.flatMap((day) => {
    const share = openShare(day, now)
    return share > 0 ? [{ ...day, share }] : []
  })
  const past = over.map((day) => ({ weekday: day.weekday, usd: isKnown(day) ? (day.usd ?? 0) / day.seen : undefined }))
  const known = ofMonth.flatMap((day) => day.usd ?? [])
  const sum = usd(toMillionths(known.reduce((all, one) => all + one, 0)))
  const unknownDays = ofMonth.filter((day) => day.window.to <= now && !isKnown(day)).length
  const model = learnDays(past)
  return {
    month,
    spent: known.length === 0 || (sum === 0 && unknownDays > 0) ? undefined : sum,
    unknownDays,
    forecast: atLeast(forecastDays(past, open), sum),
    expected: model === undefined ? [] : open.map(({ date, weekday }) => ({ date, usd: usd(model.expected(weekday)) })),
  }
}

const isKnown = (day: DayCost): boolean => day.usd !== undefined && day.seen >= KNOWN_FROM

/** Which share of a day is still to be estimated: what was not seen of it, and what is to come. */
function openShare({ window, usd: amount, seen }: DayCost, now: Instant): number {
  const passed = Math.min(1, Math.max(0, (now - window.from) / (window.to - window.from)))
  const open = 1 - passed * (amount === undefined ? 0 : seen)
  return open < NEXT_TO_NOTHING ? 0 : open
}

const atLeast = (forecast: Forecast, spent: Usd): Forecast =>
  forecast.kind === 'unknown'
    ? forecast
    : {
        ...forecast,
        usd: usd(spent + forecast.usd),
        low: usd(spent + forecast.low),
        high: usd(spent + forecast.high),
      }

/** Where a budget stands. */
export type BudgetState = MonthOutlook & {
  readonly budget: Budget
  /** Spent of the budget, 1 for all of it; undefined where that is not known. */
  readonly share: number | undefined
  /** Thresholds that were reached, percent. */
  readonly reached: readonly number[]
  /** Thresholds that will be reached by the month's end, as far as can be told. */
  readonly expectedToReach: readonly number[]
  /** The day on which all of it was or will be spent; undefined when that is not in this month, or nobody can tell. */
  readonly usedUp: { readonly date: string; readonly isOver: boolean } | undefined
}

/** Where a budget stands in a month. */
export function budgetState(budget: Budget, sources: OutlookSources): BudgetState {
  const outlook = monthOutlook(sources)
  const share = (outlook.spent ?? 0) / budget.usdPerMonth
  const { forecast } = outlook
  const atEnd = forecast.kind === 'known' ? forecast.usd / budget.usdPerMonth : share
  return {
    ...outlook,
    budget,
    share: outlook.spent === undefined ? undefined : share,
    reached: budget.thresholds.filter((percent) => share * 100 >= percent),
    expectedToReach: budget.thresholds.filter((percent) => share * 100 < percent && atEnd * 100 >= percent),
    usedUp: usedUp(budget, outlook, sources),
  }
}

function usedUp(
  { usdPerMonth }: Budget,
  outlook: MonthOutlook,
  { days, month, now }: OutlookSources,
): BudgetState['usedUp'] {
  const expected = new Map(outlook.expected.map((day) => [day.date, day.usd]))
  let sum = 0
  for (const day of days.filter(({ date }) => date.startsWith(month))) {
    const share = openShare(day, now)
    const known = sum + (day.usd ?? 0)
    const isOver = known >= usdPerMonth && (share === 0 || day.usd !== undefined)
    if (isOver) return { date: day.date, isOver }
    const ahead = expected.get(day.date)
    if (share > 0 && ahead === undefined) return undefined
    sum = usd(known + share * (ahead ?? 0))
    if (sum >= usdPerMonth) return { date: day.date, isOver: false }
  }
  return undefined
}
