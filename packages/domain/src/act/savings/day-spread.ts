/** Something that was measured in an hour, counted from the epoch. */
export type HourValue = { readonly hour: number; readonly value: number }

export const HOURS_PER_DAY = 24
/** 0 to 6; the epoch was a Thursday. */
export const savingWeekday = (hour: number): number => Math.floor(hour / HOURS_PER_DAY) % 7
/** Working day or weekend. Where other days are free, days look less alike than they are, and intervals get wider. */
const dayTypeOf = (hour: number): number => (savingWeekday(hour) === 2 || savingWeekday(hour) === 3 ? 1 : 0)

/**
 * How much a day's sum varies by chance; `freedom` is how many independent days tell so. `memory`: what a day keeps of the
 * day before, 0 to 1; spells of several days make it large.
 */
export type DaySpread = { readonly variance: number; readonly freedom: number; readonly memory: number }

/** A day with fewer hours says little about the whole of it. */
const LEAST_HOURS = 12
const LEAST_FREEDOM = 2
/** From so many on, days are compared with the same weekday only. */
const ENOUGH_FREEDOM = 5
/** More memory than this makes one spell of all days: then they tell nothing of how long it lasts. */
const MOST_MEMORY = 0.85

/**
 * How days differ from others like them. The day is the block: hours of one day move together, so they are no independent
 * evidence. Like days are those of one weekday where there are weeks enough, else working days or weekends: what is left of
 * the weekly rhythm then counts as chance and widens the interval. Days that follow one another are alike, too, where idle or
 * busy spells last for days; of that the days since a change tell as well as those before it, which alone are too few.
 * Undefined where too few days were measured before.
 */
export function daySpread(before: readonly HourValue[], since: readonly HourValue[]): DaySpread | undefined {
  const own = residualsOf(before)
  if (own.freedom < LEAST_FREEDOM) return undefined
  const later = residualsOf(since)
  const memory = memoryOf([own, later].filter(({ freedom }) => freedom >= LEAST_FREEDOM))
  const seen = [own, later].map((days) => varianceOf(days, memory))
  return { variance: Math.max(...seen), freedom: freedomWith(own.freedom, memory), memory }
}

type Residuals = {
  /** How far each day is from those like it, in order. */
  readonly days: readonly HourValue[]
  readonly freedom: number
}

function residualsOf(values: readonly HourValue[]): Residuals {
  const days = [...Map.groupBy(values, ({ hour }) => Math.floor(hour / HOURS_PER_DAY))]
    .filter(([, hours]) => hours.length >= LEAST_HOURS)
    .map(([day, hours]) => ({
      hour: day * HOURS_PER_DAY,
      value: meanOf(hours.map(({ value }) => value)) * HOURS_PER_DAY,
    }))
  const byWeekday = withinGroups(days, savingWeekday)
  return byWeekday.freedom >= ENOUGH_FREEDOM ? byWeekday : withinGroups(days, dayTypeOf)
}

function withinGroups(days: readonly HourValue[], groupOf: (hour: number) => number): Residuals {
  const groups = Map.groupBy(days, ({ hour }) => groupOf(hour))
  const means = new Map([...groups].map(([key, group]) => [key, meanOf(group.map(({ value }) => value))]))
  return {
    days: days.map(({ hour, value }) => ({ hour, value: value - (means.get(groupOf(hour)) ?? 0) })),
    freedom: days.length - groups.size,
  }
}

/**
 * How alike days are that follow one another (autocorrelation of first order). Of few days it comes out too small, the more
 * so the longer spells last (Marriott and Pope, 1954); that is added again. It is uncertain as well, and too little of it makes
 * an interval that is too narrow: one standard error (Bartlett, 1946) is added, too.
 */
function memoryOf(series: readonly Residuals[]): number {
  const pairs = series.flatMap(({ days }) =>
    days.flatMap(({ hour, value }) => {
      const next = days.find((day) => day.hour === hour + HOURS_PER_DAY)
      return next === undefined ? [] : [{ product: value * next.value, square: (value ** 2 + next.value ** 2) / 2 }]
    }),
  )
  const squares = daySum(pairs.map(({ square }) => square))
  if (squares === 0) return 0
  const length = meanOf(series.map(({ days }) => days.length))
  const found = daySum(pairs.map(({ product }) => product)) / squares
  const error = 1 / Math.sqrt(daySum(series.map(({ days }) => days.length)))
  return Math.min(MOST_MEMORY, Math.max(0, (found + 1 / length) / (1 - 3 / length) + error))
}

/** Days of one spell differ less from their mean than days of many do. */
function varianceOf({ days, freedom }: Residuals, memory: number): number {
  if (freedom < LEAST_FREEDOM) return 0
  const { length } = days
  const within = (length - withMemory(length, memory)) / (length - 1)
  return daySum(days.map(({ value }) => value ** 2)) / freedom / within
}

/** Days that remember the one before are worth fewer. */
const freedomWith = (freedom: number, memory: number): number =>
  Math.max(1, Math.round((freedom * (1 - memory)) / (1 + memory)))

/** By how much the sum of so many days in a row varies more than if each was by itself. */
export function withMemory(days: number, memory: number): number {
  const count = Math.max(1, Math.round(days))
  const later = Array.from({ length: count - 1 }, (_, index) => (1 - (index + 1) / count) * memory ** (index + 1))
  return 1 + 2 * daySum(later)
}

/** The 95 % points of Student's t for 1, 2, … degrees of freedom; beyond 30 the normal's, with its first correction. */
const STUDENT = [
  6.314, 2.92, 2.353, 2.132, 2.015, 1.943, 1.895, 1.86, 1.833, 1.812, 1.796, 1.782, 1.771, 1.761, 1.753, 1.746, 1.74,
  1.734, 1.729, 1.725, 1.721, 1.717, 1.714, 1.711, 1.708, 1.706, 1.703, 1.701, 1.699, 1.697,
]

/** Half the width of the 90 % interval of something that varies as `days` of these would. */
export const halfWidth = ({ variance, freedom }: DaySpread, days: number): number =>
  (STUDENT[freedom - 1] ?? 1.645 + 1.55 / freedom) * Math.sqrt(variance * days)

export const daySum = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
export const meanOf = (values: readonly number[]): number => daySum(values) / values.length
