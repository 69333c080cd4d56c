import type { Range } from '@septet/contract'

/** The ranges that end now, in words; the keys are the contract's RANGES, which api.test.ts checks. */
export const RANGE_WORDS = {
  '1h': 'Last hour',
  '6h': 'Last 6 hours',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
} as const

/** The ranges of the calendar, in words. */
export const CALENDAR_WORDS = {
  today: 'Today',
  week: 'This week',
  month: 'This month',
  'last-week': 'Last week',
  'last-month': 'Last month',
} as const

export const BROWSER_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone

const DEFAULT_RANGE = '24h'

/** A time zone of the address that this browser knows. */
export function zoneOf(text: string | null): string | undefined {
  if (text === null || !/^[A-Za-z][\w+\-/]{0,63}$/u.test(text)) return undefined
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions().timeZone && text
  } catch {
    return undefined
  }
}

/** The range of an address as the server is asked for it; what makes no sense is the last 24 hours. */
export function rangeOf(text: string | null, zone: string): Range {
  const asked = text ?? DEFAULT_RANGE
  if (isQuickRange(asked)) return asked
  if (isCalendarRange(asked)) return `${asked}@${zone}`
  return windowOfRange(asked) === undefined ? DEFAULT_RANGE : asked
}

/** "This month", "Last 7 days"; of two instants the days and times in a zone, with the year where it is not this one. */
export function rangeWords(range: Range, zone: string = BROWSER_ZONE): string {
  const [name = ''] = range.split('@')
  if (isQuickRange(name)) return RANGE_WORDS[name]
  if (isCalendarRange(name)) return CALENDAR_WORDS[name]
  const window = windowOfRange(range)
  if (window === undefined) return range
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

const yearIn = (zone: string, at: number): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: zone, year: 'numeric' }).format(at)

/** The two instants of a range that somebody chose, ms; undefined for another range. */
export function windowOfRange(range: string): readonly [number, number] | undefined {
  const [first = '', second = '', ...rest] = range.split('/')
  const [from = NaN, to = NaN] = [first, second].map((text) => (RFC_3339.test(text) ? Date.parse(text) : NaN))
  return rest.length === 0 && from < to && to - from <= LONGEST_MS ? [from, to] : undefined
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/u
/** The server looks back on no more than 800 days at once. */
const LONGEST_MS = 800 * 86_400_000

export const isQuickRange = (text: string): text is keyof typeof RANGE_WORDS => Object.hasOwn(RANGE_WORDS, text)
const isCalendarRange = (text: string): text is keyof typeof CALENDAR_WORDS => Object.hasOwn(CALENDAR_WORDS, text)
