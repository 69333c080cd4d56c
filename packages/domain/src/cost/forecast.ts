import { agree } from '../words.ts'
import { type Usd, usd } from '../units.ts'

/** What a day that is over cost; undefined where that is not known, which is not 0. Weekdays count from Monday, 0. */
export type PastDay = { readonly weekday: number; readonly usd: number | undefined }

/** A day to come, or what is left of one. */
export type DayAhead = {
  readonly weekday: number
  /** Of the day, 0 to 1. */
  readonly share: number
}

export type Forecast =
  | {
      readonly kind: 'known'
      readonly usd: Usd
      /** In four of five cases the amount comes to lie between these. */
      readonly low: Usd
      readonly high: Usd
      /** Whether the days of the week are told apart. */
      readonly method: 'mean' | 'weekday'
      /** How many known days it was made from. */
      readonly days: number
    }
  | { readonly kind: 'unknown'; readonly because: string }

/** Fewer known days than a week tell nothing of the next. */
const FEWEST_DAYS = 7
/** Days that are longer ago say little about the next. */
export const LOOK_BACK_DAYS = 42
/** From three weeks on, days of the week can be told apart. */
const WEEKDAYS_FROM = 21
/** Days that differ by less differ by rounding. */
const NOTHING_OFF = 1e-4

/** What is expected of a day, and how far days have been off. */
export type DayModel = {
  readonly expected: (weekday: number) => number
  readonly method: 'mean' | 'weekday'
  readonly days: number
  /** Variance of a day around what was expected, dollars squared. */
  readonly variance: number
  /** How much of a day's error the next day repeats, 0 to 0.9. */
  readonly persistence: number
  readonly freedom: number
}

/** Learns from past days, oldest first, one after the other; undefined with fewer than `FEWEST_DAYS` known ones. */
export function learnDays(past: readonly PastDay[]): DayModel | undefined {
  const recent = past.slice(-LOOK_BACK_DAYS)
  const known = recent.flatMap(({ weekday, usd: amount }) => (amount === undefined ? [] : [{ weekday, amount }]))
  if (known.length < FEWEST_DAYS) return undefined
  const level = mean(known.map(({ amount }) => amount))
  const flat = modelOf(recent, { expected: () => level, method: 'mean', parameters: 1 })
  const byDay = Map.groupBy(known, ({ weekday }) => weekday)
  if (known.length < WEEKDAYS_FROM || byDay.size < 7) return flat
  const means = new Map([...byDay].map(([weekday, days]) => [weekday, mean(days.map(({ amount }) => amount))]))
  const weekly = modelOf(recent, {
    expected: (weekday) => means.get(weekday) ?? level,
    method: 'weekday',
    parameters: 7,
  })
  // Seven means fit any noise a little better than one.
  const differs = Math.sqrt(flat.variance) > level * NOTHING_OFF
  return differs && weekly.variance < flat.variance * 0.8 ? weekly : flat
}

/** The sum of days ahead with an 80 % interval, from how far past days have been off. */
export function forecastDays(past: readonly PastDay[], ahead: readonly DayAhead[]): Forecast {
  const model = learnDays(past)
  if (model === undefined) {
    const known = past.slice(-LOOK_BACK_DAYS).filter(({ usd: amount }) => amount !== undefined).length
    return {
      kind: 'unknown',
      because: `Too little history: the cost of ${known} whole ${agree(known, 'day')} is known, of ${FEWEST_DAYS} it is needed.`,
    }
  }
  const middle = ahead.reduce((sum, { weekday, share }) => sum + model.expected(weekday) * share, 0)
  const off = quantile90(model.freedom) * Math.sqrt(varianceOfSum(model, ahead))
  return {
    kind: 'known',
    usd: usd(middle),
    low: usd(Math.max(0, middle - off)),
    high: usd(middle + off),
    method: model.method,
    days: model.days,
  }
}

type Guess = Pick<DayModel, 'expected' | 'method'> & { readonly parameters: number }

function modelOf(past: readonly PastDay[], { expected, method, parameters }: Guess): DayModel {
  const errors = past.map(({ weekday, usd: amount }) => (amount === undefined ? undefined : amount - expected(weekday)))
  const known = errors.filter((error) => error !== undefined)
  const square = known.reduce((sum, error) => sum + error * error, 0)
  const variance = square / (known.length - parameters)
  const repeated = errors.reduce((sum: number, error, day) => sum + (error ?? 0) * (errors[day - 1] ?? 0), 0)
  const raw = square > 0 ? repeated / square : 0
  // Of few days it comes out too low, by about (1 + 3 × itself) / n.
  const persistence = Math.min(0.9, Math.max(0, raw + (1 + 3 * Math.max(0, raw)) / known.length))
  const freedom = Math.max(2, ((known.length - parameters) * (1 - persistence)) / (1 + persistence))
  return { expected, method, days: known.length, variance, persistence, freedom }
}

/** Of the days' own errors, which repeat in part, and of the error of what is expected of every day. */
function varianceOfSum({ variance, persistence, days }: DayModel, ahead: readonly DayAhead[]): number {
  const shares = ahead.map(({ share }) => share)
  let own = 0
  for (const [one, left] of shares.entries()) {
    for (const [other, right] of shares.entries()) own += left * right * persistence ** Math.abs(one - other)
  }
  const total = shares.reduce((sum, share) => sum + share, 0)
  const ofLevel = (total * total * ((1 + persistence) / (1 - persistence))) / days
  return variance * (own + ofLevel)
}

/** The 90 % quantile of Student's distribution, by the Cornish-Fisher expansion (Abramowitz and Stegun 26.7.5). */
function quantile90(freedom: number): number {
  const z = 1.2815515655446004
  return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2)
}

const mean = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => sum + amount, 0) / Math.max(1, amounts.length)
