import {
  DAY_MS,
  HOUR_MS,
  dateIn,
  daysTouching,
  instant,
  instantIn,
  isQuickRange,
  MINUTE_MS,
  QUICK_RANGE_MS,
  type CalendarRange,
  type Instant,
  type TimeRange,
} from '@septet/domain'
import { DAY_AND_TIME } from '@septet/domain/words'

/** When, and whose clock, a line is read. */
export type Clock = { readonly now: Instant; readonly zone: string }

/** A time in a line: how many characters it takes, which range that is, and how a person reads it. */
export type ReadTime = { readonly length: number; readonly range: TimeRange; readonly says: string }

const LEAD = String.raw`(?:(?:in|over|during|for|within|from)\s+)?(?:the\s+)?`
const END = String.raw`(?![\p{L}\p{N}_-])`
const at = (pattern: string): RegExp => new RegExp(`${LEAD}(?:${pattern})${END}`, 'iuy')

const SPANS = at(
  String.raw`(?:last|past|previous)\s+(?<count>\d{1,3}|an?\s)?\s*(?<unit>minutes?|mins?|hours?|hrs?|h|days?|d|weeks?|w|months?)|(?<bare>1h|6h|24h|7d|30d)`,
)
const CALENDAR = at(
  String.raw`(?<name>today|yesterday|(?:this|current)\s+(?:week|month)|last\s+(?:week|month)|month\s+to\s+date)`,
)
const SINCE = at(String.raw`since\s+(?<from>MOMENT)`.replace('MOMENT', momentPattern()))
const BETWEEN = new RegExp(
  String.raw`(?:(?:from|between)\s+(?<from>MOMENT)\s+(?:to|and|until|till|through)|(?<bare>MOMENT)\s+(?:to|until|till|through|–|-))\s+(?<to>MOMENT)${END}`.replaceAll(
    'MOMENT',
    momentPattern(),
  ),
  'iuy',
)
const ON_DAY = new RegExp(String.raw`(?:(?:on|last|this)\s+)?(?<day>${dayPattern()})${END}`, 'iuy')

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const WEEKDAYS = 'mon tue wed thu fri sat sun'.split(' ')

function dayPattern(): string {
  const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*'
  const weekday = '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?'
  return String.raw`\d{4}-\d\d-\d\d|\d{1,2}(?:st|nd|rd|th)?\s+${month}(?:,?\s+\d{4})?|${month}\s+\d{1,2}(?:st|nd|rd|th)?(?:,?\s+\d{4})?|${weekday}|yesterday|today`
}

function momentPattern(): string {
  const clock = String.raw`\d{1,2}(?::\d\d)?\s*(?:am|pm)|\d{1,2}:\d\d`
  return String.raw`(?:(?:${dayPattern()})(?:\s+(?:at\s+)?(?:${clock}))?|(?:${clock})(?:\s+(?:on\s+)?(?:${dayPattern()}))?|noon|midnight|now)`
}

/** The time that is written at a place of a line; undefined where none is. */
export function readTime(line: string, from: number, clock: Clock): ReadTime | undefined {
  for (const [pattern, rangeIn] of PATTERNS) {
    pattern.lastIndex = from
    const match = pattern.exec(line)
    if (match === null) continue
    const range = rangeIn(match.groups ?? {}, clock)
    return range && { length: match[0].length, range, says: timeWords(range, clock.zone) }
  }
  return undefined
}

type Groups = Readonly<Record<string, string | undefined>>

const PATTERNS: ReadonlyArray<readonly [RegExp, (groups: Groups, clock: Clock) => TimeRange | undefined]> = [
  [BETWEEN, ({ from, bare = '', to = '' }, clock) => betweenOf(from ?? bare, to, clock)],
  [CALENDAR, ({ name = '' }, clock) => calendarOf(name, clock)],
  [SPANS, spanOf],
  [SINCE, ({ from = '' }, clock) => customOf(momentOf(from, clock), clock.now)],
  [ON_DAY, ({ day = '' }, clock) => dayOf(day, clock)],
]

function calendarOf(text: string, clock: Clock): TimeRange | undefined {
  const name = text.toLowerCase().replaceAll(/\s+/gu, ' ')
  if (name === 'yesterday') return dayOf(name, clock)
  const known: Readonly<Record<string, CalendarRange>> = {
    today: 'today',
    'this week': 'week',
    'current week': 'week',
    'this month': 'month',
    'current month': 'month',
    'month to date': 'month',
    'last week': 'last-week',
    'last month': 'last-month',
  }
  const calendar = known[name]
  return calendar && { kind: 'calendar', name: calendar, zone: clock.zone }
}

const UNIT_MS: Readonly<Record<string, number>> = {
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
  month: 30 * DAY_MS,
}

function spanOf({ count, unit = '', bare }: Groups, { now }: Clock): TimeRange | undefined {
  const name = bare?.toLowerCase()
  if (name !== undefined) return isQuickRange(name) ? { kind: 'quick', name } : undefined
  const each = UNIT_MS[unit.toLowerCase().startsWith('month') ? 'month' : unit.slice(0, 1).toLowerCase()] ?? 0
  const length = each * Math.max(1, Number.parseInt(count ?? '1', 10) || 1)
  const quick = Object.keys(QUICK_RANGE_MS)
    .filter(isQuickRange)
    .find((known) => length === QUICK_RANGE_MS[known])
  return quick === undefined ? customOf(instant(now - length), now) : { kind: 'quick', name: quick }
}

/** To the minute, so that what is asked twice in one is answered once. */
function customOf(from: Instant | undefined, to: Instant | undefined): TimeRange | undefined {
  if (from === undefined || to === undefined) return undefined
  const [first, last] = [from, to].map((each) => instant(Math.floor(each / MINUTE_MS) * MINUTE_MS))
  return first !== undefined && last !== undefined && first < last
    ? { kind: 'custom', window: { from: first, to: last } }
    : undefined
}

/** A clock time alone is of the day that the other one names, or of today. */
function betweenOf(first: string, last: string, clock: Clock): TimeRange | undefined {
  const day = new RegExp(dayPattern(), 'iu')
  const named = day.exec(first)?.[0] ?? day.exec(last)?.[0]
  const whole = (text: string): string =>
    day.test(text) || named === undefined || /^now$/iu.test(text.trim()) ? text : `${named} ${text}`
  const from = momentOf(whole(first), clock)
  const isWholeDay = day.test(last) && !/:|am|pm|noon/iu.test(last)
  const lastDay = isWholeDay ? dayOf(last, clock) : undefined
  // "from Monday to Friday" has Friday in it.
  const to = lastDay?.kind === 'custom' ? lastDay.window.to : momentOf(whole(last), clock)
  return customOf(from, to === undefined ? undefined : instant(Math.min(to, Math.max(clock.now, from ?? 0))))
}

/** The newest day of that name that has begun, whole. */
function dayOf(text: string, { now, zone }: Clock): TimeRange | undefined {
  const days = daysTouching(zone, { from: instant(now - 400 * DAY_MS), to: now })
  const lower = text.toLowerCase()
  const found = lower === 'today' ? days.at(-1) : lower === 'yesterday' ? days.at(-2) : days.findLast(isCalled(lower))
  return found && { kind: 'custom', window: found.window }
}

/** By its date, its weekday, or its month and day. */
function isCalled(text: string): (day: ReturnType<typeof daysTouching>[number]) => boolean {
  if (/^\d{4}/u.test(text)) return ({ date }) => date === text
  const [, month = '', day = '', year = ''] = /^([a-z]{3})[a-z]*\s+(\d{1,2})\D*(\d{4})?$/u.exec(monthFirst(text)) ?? []
  if (day === '') return ({ weekday }) => WEEKDAYS[weekday] === text.slice(0, 3)
  const ending = `-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${day.padStart(2, '0')}`
  return ({ date }) => date.endsWith(ending) && date.startsWith(year)
}

/** "5 november" as "november 5". */
const monthFirst = (text: string): string => text.replace(/^(\d{1,2})(?:st|nd|rd|th)?\s+([a-z]+)/u, '$2 $1')

/** An instant as people write one: a day, a day with a time, or a time of today. */
function momentOf(text: string, clock: Clock): Instant | undefined {
  if (/^now$/iu.test(text.trim())) return clock.now
  const dayText = new RegExp(dayPattern(), 'iu').exec(text)?.[0]
  const day = dayOf(dayText ?? 'today', clock)
  if (day?.kind !== 'custom') return undefined
  const minutes = minutesOf(text.replace(dayText ?? '', '').trim())
  return minutes === undefined ? undefined : instantIn(clock.zone, dateIn(clock.zone, day.window.from), minutes)
}

/** Minutes after midnight; 0 where no time is written, undefined for one that no clock shows. */
function minutesOf(text: string): number | undefined {
  if (/noon/iu.test(text)) return 12 * 60
  const [, hours = '0', minutes = '0', half] = /(\d{1,2})(?::(\d\d))?\s*(am|pm)?/iu.exec(text) ?? []
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  return hour > 23 || Number(minutes) > 59 ? undefined : hour * 60 + Number(minutes)
}

const CALENDAR_WORDS: Readonly<Record<CalendarRange, string>> = {
  today: 'today',
  week: 'this week',
  month: 'this month',
  'last-week': 'last week',
  'last-month': 'last month',
}
const QUICK_WORDS = {
  '1h': 'last hour',
  '6h': 'last 6 hours',
  '24h': 'last 24 hours',
  '7d': 'last 7 days',
  '30d': 'last 30 days',
} as const

/** A range as it stands in a line and can be typed again. */
export function timeWords(range: TimeRange, zone: string): string {
  if (range.kind === 'quick') return QUICK_WORDS[range.name]
  if (range.kind === 'calendar') return CALENDAR_WORDS[range.name]
  const say = new Intl.DateTimeFormat('en-US', { ...DAY_AND_TIME, timeZone: zone })
  return `${say.format(range.window.from)} to ${say.format(range.window.to)}`
}
