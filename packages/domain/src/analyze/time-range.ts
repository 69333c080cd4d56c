import { DAY_MS, HOUR_MS, type Instant, instant, type Window } from '../units.ts'
import { type CivilDate, dateOfDay, dateText, dayNumber, monthAfter, weekdayOf } from './civil-date.ts'
import { dateIn, isZone, startOfDate } from './zoned-time.ts'

/** Ranges that end now, and their length, milliseconds. */
export const QUICK_RANGE_MS = {
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
} as const
export type QuickRange = keyof typeof QUICK_RANGE_MS

/** Ranges of the calendar of a time zone; weeks begin on Monday. */
export const CALENDAR_RANGES = ['today', 'week', 'month', 'last-week', 'last-month'] as const
export type CalendarRange = (typeof CALENDAR_RANGES)[number]

/**
 * What is looked back on. Its text, `24h`, `last-week@Europe/Berlin`, or two RFC 3339 instants with a slash between, is
 * read by `parseRange` and written by `rangeText` alone.
 */
export type TimeRange =
  | { readonly kind: 'quick'; readonly name: QuickRange }
  | { readonly kind: 'calendar'; readonly name: CalendarRange; readonly zone: string }
  | { readonly kind: 'custom'; readonly window: Window }

/** The range that ends now and is so long. */
export const theLast = (name: QuickRange): TimeRange => ({ kind: 'quick', name })

/** A range from its text; undefined for text that is none. `ownZone`: of a calendar range that names no zone. */
export function parseRange(text: string, ownZone = 'UTC'): TimeRange | undefined {
  if (isQuickRange(text)) return theLast(text)
  const [before = '', zone = ownZone] = text.split('@')
  const name = CALENDAR_RANGES.find((known) => known === before)
  if (name !== undefined) return isZone(zone) ? { kind: 'calendar', name, zone } : undefined
  return parseCustom(text)
}

/** The text that is read as just this range, so the same for equal ones: calendar ranges with their zone, instants in UTC. */
export function rangeText(range: TimeRange): string {
  if (range.kind === 'quick') return range.name
  if (range.kind === 'calendar') return `${range.name}@${range.zone}`
  return `${instantText(range.window.from)}/${instantText(range.window.to)}`
}

function parseCustom(text: string): TimeRange | undefined {
  const [from, to, ...rest] = text.split('/').map(instantOf)
  if (from === undefined || to === undefined || rest.length > 0) return undefined
  const isSpan = from < to && to - from <= LONGEST && from >= FIRST && to < END
  return isSpan ? { kind: 'custom', window: { from, to } } : undefined
}

export const isQuickRange = (text: string): text is QuickRange => Object.hasOwn(QUICK_RANGE_MS, text)

/** As long as daily rows are kept: 800 days. */
const LONGEST = 800 * DAY_MS
/** What RFC 3339 can write in UTC: an offset may lead out of its years, 0 to 9999. */
const FIRST = dayNumber({ year: 0, month: 1, day: 1 }) * DAY_MS
const END = dayNumber({ year: 10_000, month: 1, day: 1 }) * DAY_MS

/** When a range begins and when it will be over: the second may lie ahead. */
export function spanOfRange(range: TimeRange, now: Instant): Window {
  if (range.kind === 'quick') return { from: instant(now - QUICK_RANGE_MS[range.name]), to: now }
  if (range.kind === 'custom') return range.window
  return calendarSpan(range.name, { zone: range.zone, today: dateIn(range.zone, now) })
}

/** The stretch just before one that has run up to now: the calendar's one before, as far as this one has come, or one as long. */
export function spanBefore(range: TimeRange, { from, to }: Window): Window {
  if (range.kind !== 'calendar') return { from: instant(from - (to - from)), to: from }
  const { zone, name } = range
  const began = dateIn(zone, from)
  const first = name.endsWith('month')
    ? monthAfter(began, -1)
    : dateOfDay(dayNumber(began) - (name === 'today' ? 1 : 7))
  const start = startOfDate(zone, first)
  const isOver = name.startsWith('last-')
  return { from: start, to: isOver ? from : instant(Math.min(from, start + (to - from))) }
}

/** One day of a zone's calendar: 23 or 25 hours long where the clock changes. */
export type ZonedDay = { readonly date: string; readonly weekday: number; readonly window: Window }

/** The days of a zone that a window touches, whole, oldest first. */
export function daysTouching(zone: string, { from, to }: Window): ZonedDay[] {
  const days: ZonedDay[] = []
  let number = dayNumber(dateIn(zone, from))
  let start = startOfDate(zone, dateOfDay(number))
  while (start < to) {
    const end = startOfDate(zone, dateOfDay(number + 1))
    const date = dateOfDay(number)
    // Once, in 2011, Samoa left a day out.
    if (end > start) days.push({ date: dateText(date), weekday: weekdayOf(number), window: { from: start, to: end } })
    start = end
    number++
  }
  return days
}

/** The months of a zone that a window touches, whole, oldest first. */
export function monthsTouching(zone: string, { from, to }: Window): Window[] {
  const months: Window[] = []
  const first = dateIn(zone, from)
  let start = startOfDate(zone, monthAfter(first, 0))
  while (start < to) {
    const end = startOfDate(zone, monthAfter(first, months.length + 1))
    months.push({ from: start, to: end })
    start = end
  }
  return months
}

type Today = { readonly zone: string; readonly today: CivilDate }

function calendarSpan(name: CalendarRange, { zone, today }: Today): Window {
  const number = dayNumber(today)
  const monday = number - weekdayOf(number)
  const spans = {
    today: [today, dateOfDay(number + 1)],
    week: [dateOfDay(monday), dateOfDay(monday + 7)],
    'last-week': [dateOfDay(monday - 7), dateOfDay(monday)],
    month: [monthAfter(today, 0), monthAfter(today, 1)],
    'last-month': [monthAfter(today, -1), monthAfter(today, 0)],
  } as const satisfies Record<CalendarRange, readonly [CivilDate, CivilDate]>
  const [from, to] = spans[name]
  return { from: startOfDate(zone, from), to: startOfDate(zone, to) }
}

const RFC_3339 =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)T(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.\d{1,9})?)?(?:Z|(?<sign>[+-])(?<offHour>\d\d):(?<offMinute>\d\d))$/u

/** An RFC 3339 instant, to the second (seconds may be left out); undefined for text that is none, or for a 30th of February. */
export function instantOf(text: string): Instant | undefined {
  const found = RFC_3339.exec(text)?.groups
  if (found === undefined) return undefined
  const field = (name: string): number => Number(found[name] ?? 0)
  const date = { year: field('year'), month: field('month'), day: field('day') }
  const number = dayNumber(date)
  if (dateText(dateOfDay(number)) !== dateText(date)) return undefined
  if (field('hour') > 23 || field('minute') > 59 || field('second') > 59 || field('offMinute') > 59) return undefined
  const offset = (field('offHour') * 60 + field('offMinute')) * (found['sign'] === '-' ? -60 : 60)
  return instant((number * 86_400 + field('hour') * 3600 + field('minute') * 60 + field('second') - offset) * 1000)
}

/** An instant in UTC to the second, which is all that FOCUS and OpenCost take: `2026-11-01T00:00:00Z`. */
export const secondText = (at: Instant): string => `${instantText(at).slice(0, 19)}Z`

/** The same to the millisecond, `2026-11-01T00:00:00.000Z`. */
function instantText(at: Instant): string {
  const day = Math.floor(at / DAY_MS)
  const ms = at - day * DAY_MS
  const time = `${digits(ms / HOUR_MS, 2)}:${digits((ms % HOUR_MS) / 60_000, 2)}:${digits((ms % 60_000) / 1000, 2)}`
  return `${dateText(dateOfDay(day))}T${time}.${digits(ms % 1000, 3)}Z`
}

const digits = (value: number, count: number): string => String(Math.floor(value)).padStart(count, '0')
