import { isZone, parseRange, theLast, type CalendarRange, type QuickRange, type TimeRange } from '@septet/domain'

/** The ranges that end now, in words. */
export const RANGE_WORDS = {
  '1h': 'Last hour',
  '6h': 'Last 6 hours',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
} as const satisfies Record<QuickRange, string>

/** The ranges of the calendar, in words. */
export const CALENDAR_WORDS = {
  today: 'Today',
  week: 'This week',
  month: 'This month',
  'last-week': 'Last week',
  'last-month': 'Last month',
} as const satisfies Record<CalendarRange, string>

export const BROWSER_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The zones to choose from, the likely ones first; a zone that is chosen already is always among them. */
export const zonesWith = (chosen: string): readonly string[] => [
  ...new Set([BROWSER_ZONE, 'UTC', ...Intl.supportedValuesOf('timeZone'), chosen]),
]

/** A time zone of the address that this browser knows. */
export const zoneOf = (text: string | null): string | undefined => (text !== null && isZone(text) ? text : undefined)

/** The range of an address, of the calendar of a zone where it names none; what makes no sense is the last 24 hours. */
export const rangeOf = (text: string | null, zone: string): TimeRange => parseRange(text ?? '', zone) ?? theLast('24h')

/** "This month", "Last 7 days"; of two instants the days and times in a zone, with the year where it is not this one. */
export function rangeWords(range: TimeRange, zone: string): string {
  if (range.kind === 'quick') return RANGE_WORDS[range.name]
  if (range.kind === 'calendar') return CALENDAR_WORDS[range.name]
  const window = [range.window.from, range.window.to]
  const isThisYear = window.every((at) => yearIn(zone, at) === yearIn(zone, Date.now()))
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    ...(isThisYear ? {} : { year: 'numeric' }),
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return window.map((at) => format.format(at)).join(' to ')
}

/** The same within a sentence: "in the last 7 days", "this month", "from Nov 3, 10:00 to Nov 4, 10:00". */
export function rangePhrase(range: TimeRange, zone: string): string {
  const words = rangeWords(range, zone)
  if (range.kind === 'quick') return `in the ${words.toLowerCase()}`
  return range.kind === 'calendar' ? words.toLowerCase() : `from ${words}`
}

const yearIn = (zone: string, at: number): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: zone, year: 'numeric' }).format(at)
