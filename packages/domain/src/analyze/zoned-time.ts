import { DAY_MS, type Instant, instant } from '../units.ts'
import { type CivilDate, dateOfDay, dateText, dayNumber } from './civil-date.ts'

/** Whether this is a time zone of the IANA database (or `UTC`) that the runtime knows. */
export function isZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/u.test(text)) return false
  try {
    return formatOf(text) !== undefined
  } catch {
    return false
  }
}

/** The date that a calendar on the wall of a zone shows at an instant. Throws RangeError for a zone that is unknown. */
export function dateIn(zone: string, at: Instant): CivilDate {
  const wall = wallTime(zone, at)
  return dateOfDay(Math.floor(wall / DAY_MS))
}

/**
 * The first instant of a date in a zone. Where the clock skips midnight the day begins when the clock goes on; where it
 * passes midnight twice, at the first of them.
 */
export const startOfDate = (zone: string, date: CivilDate): Instant => instantIn(zone, date, 0)

/** When a zone's clock shows a date and so many minutes after midnight; the first time of two, and where never, just after. */
export function instantIn(zone: string, date: CivilDate, minutes: number): Instant {
  const wall = dayNumber(date) * DAY_MS + minutes * 60_000
  const offsets = [...new Set([wall - DAY_MS, wall, wall + DAY_MS].map((at) => offsetAt(zone, at)))]
  const hits = offsets.map((offset) => wall - offset).filter((at) => wallTime(zone, at) === wall)
  if (hits.length > 0) return instant(Math.min(...hits))
  return firstAtOrAfter(zone, wall, offsets)
}

/** What a zone's clock shows, as `2026-03-29T14:05`. */
export function wallText(zone: string, at: Instant): string {
  const minutes = Math.floor(wallTime(zone, at) / 60_000)
  const ofDay = minutes - Math.floor(minutes / 1440) * 1440
  return `${dateText(dateIn(zone, at))}T${two(Math.floor(ofDay / 60))}:${two(ofDay % 60)}`
}

const two = (value: number): string => String(value).padStart(2, '0')

/** The clock never shows that: the first instant at which it shows more. */
function firstAtOrAfter(zone: string, wall: number, offsets: readonly number[]): Instant {
  let before = wall - Math.max(...offsets) - 1
  let after = wall - Math.min(...offsets)
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (wallTime(zone, middle) >= wall) after = middle
    else before = middle
  }
  return instant(after)
}

/** How far a zone's clock is before UTC at an instant, milliseconds. */
const offsetAt = (zone: string, at: number): number => wallTime(zone, at) - at

/** What a clock on the wall of a zone shows, as if it showed UTC, milliseconds. */
function wallTime(zone: string, at: number): number {
  const fields: Record<string, number> = {}
  for (const { type, value } of formatOf(zone).formatToParts(at)) fields[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = fields
  const below = ((at % 1000) + 1000) % 1000
  return dayNumber({ year, month, day }) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + below
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(zone, format)
  return format
}
