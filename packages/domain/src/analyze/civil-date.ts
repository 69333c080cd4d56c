/** A day of the Gregorian calendar, of no time zone. `month` and `day` count from 1. */
export type CivilDate = { readonly year: number; readonly month: number; readonly day: number }

/** Days since 1970-01-01; negative before. By Howard Hinnant's days_from_civil. */
export function dayNumber({ year: fullYear, month, day }: CivilDate): number {
  const year = fullYear - (month <= 2 ? 1 : 0)
  const era = Math.floor(year / 400)
  const yearOfEra = year - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** The day of a day number; by Howard Hinnant's civil_from_days. */
export function dateOfDay(number: number): CivilDate {
  const days = number + 719_468
  const era = Math.floor(days / 146_097)
  const dayOfEra = days - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shifted = Math.floor((5 * dayOfYear + 2) / 153)
  const month = shifted < 10 ? shifted + 3 : shifted - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1,
  }
}

/** 0 for Monday to 6 for Sunday, as ISO 8601 has weeks begin. */
export const weekdayOf = (number: number): number => (((number + 3) % 7) + 7) % 7

/** The first day of the month that is `months` after that of a date. */
export function monthAfter({ year, month }: CivilDate, months: number): CivilDate {
  const count = year * 12 + month - 1 + months
  return { year: Math.floor(count / 12), month: (((count % 12) + 12) % 12) + 1, day: 1 }
}

/** `2026-03-29`. */
export const dateText = ({ year, month, day }: CivilDate): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
