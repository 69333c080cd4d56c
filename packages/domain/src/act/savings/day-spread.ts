/** Something that was measured in an hour, counted from the epoch. */
export type HourValue = { readonly hour: number; readonly value: number }

export const HOURS_PER_DAY = 24
/** 0 to 6; the epoch was a Thursday. */
export const weekdayOf = (hour: number): number => Math.floor(hour / HOURS_PER_DAY) % 7
/** Working day or weekend. Where other days are free, days look less alike than they are, and intervals get wider. */
const dayTypeOf = (hour: number): number => (weekdayOf(hour) === 2 || weekdayOf(hour) === 3 ? 1 : 0)

/** How much a day's sum varies by chance; `freedom` is how many independent days tell so. */
export type DaySpread = { readonly variance: number; readonly freedom: number }

/** A day with fewer hours says little about the whole of it. */
const LEAST_HOURS = 12
const LEAST_FREEDOM = 2
/** From so many on, days are compared with the same weekday only. */
const ENOUGH_FREEDOM = 5

/**
 * How days differ from others like them. The day is the block: hours of one day move together, so they are no independent
 * evidence. Like days are those of one weekday where there are weeks enough, else working days or weekends: what is left of
 * the weekly rhythm then counts as chance and widens the interval. Undefined where too few days were measured.
 */
export function daySpread(values: readonly HourValue[]): DaySpread | undefined {
  const days = [...Map.groupBy(values, ({ hour }) => Math.floor(hour / HOURS_PER_DAY)).values()]
    .filter((hours) => hours.length >= LEAST_HOURS)
    .map((hours) => ({ hour: hours[0]?.hour ?? 0, value: meanOf(hours.map(({ value }) => value)) * HOURS_PER_DAY }))
  const byWeekday = withinGroups(days, weekdayOf)
  const spread = byWeekday.freedom >= ENOUGH_FREEDOM ? byWeekday : withinGroups(days, dayTypeOf)
  return spread.freedom < LEAST_FREEDOM ? undefined : spread
}

function withinGroups(days: readonly HourValue[], groupOf: (hour: number) => number): DaySpread {
  const groups = [...Map.groupBy(days, ({ hour }) => groupOf(hour)).values()]
  const freedom = days.length - groups.length
  const squares = groups.flatMap((group) => {
    const mean = meanOf(group.map(({ value }) => value))
    return group.map(({ value }) => (value - mean) ** 2)
  })
  return { variance: freedom === 0 ? 0 : sumOf(squares) / freedom, freedom }
}

/** The 95 % points of Student's t for 1, 2, … degrees of freedom; beyond 30 the normal's, with its first correction. */
const STUDENT = [
  6.314, 2.92, 2.353, 2.132, 2.015, 1.943, 1.895, 1.86, 1.833, 1.812, 1.796, 1.782, 1.771, 1.761, 1.753, 1.746, 1.74,
  1.734, 1.729, 1.725, 1.721, 1.717, 1.714, 1.711, 1.708, 1.706, 1.703, 1.701, 1.699, 1.697,
]

/** Half the width of the 90 % interval of something that varies as `days` of these would. */
export const halfWidth = ({ variance, freedom }: DaySpread, days: number): number =>
  (STUDENT[freedom - 1] ?? 1.645 + 1.55 / freedom) * Math.sqrt(variance * days)

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
export const meanOf = (values: readonly number[]): number => sumOf(values) / values.length
