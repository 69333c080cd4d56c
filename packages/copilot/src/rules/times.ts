import { instant, parseRange, rangeText, spanOfRange } from '@septet/domain'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const LENGTHS: Readonly<Record<string, number>> = {
  minute: HOUR / 60, min: HOUR / 60, hour: HOUR, hr: HOUR, day: DAY, week: 7 * DAY, wk: 7 * DAY, fortnight: 14 * DAY,
  month: 30 * DAY, quarter: 91 * DAY, year: 365 * DAY,
} // prettier-ignore
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const MONTHS = [
  'january', 'february', 'march', 'april', 'may', 'june',
  'july', 'august', 'september', 'october', 'november', 'december',
] // prettier-ignore
const QUICK = new Map([
  [HOUR, '1h'],
  [6 * HOUR, '6h'],
  [DAY, '24h'],
  [7 * DAY, '7d'],
  [30 * DAY, '30d'],
])
const COUNTS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  'couple of': 2,
  couple: 2,
  few: 3,
}
const LENGTH = Object.keys(LENGTHS).join('|')
/** "tue", "tues" and "tuesday" alike. */
const WEEKDAY = WEEKDAYS.map((day) => `${day}|${day.slice(0, 3)}`).join('|') + '|tues|thur|thurs'
const MONTH = MONTHS.map((month) => `${month}|${month.slice(0, 3)}`).join('|') + '|sept'

type Found = RegExpExecArray
type Rule = readonly [RegExp, (found: Found, now: number) => string | undefined]

/** Ways to name a time, the longest first. Days begin in UTC. */
const RULES: readonly Rule[] = [
  [
    /\b(?:from|between) (\d{4}-\d\d-\d\d) (?:to|and|until) (\d{4}-\d\d-\d\d)\b/u,
    ([, from, to]) => span(dayAt(from), dayAt(to)),
  ],
  [/\bsince (\d{4}-\d\d-\d\d)\b/u, ([, from], now) => span(dayAt(from), now)],
  [/\b(?:on )?(\d{4}-\d\d-\d\d)\b/u, ([, day]) => span(dayAt(day), dayAt(day) + DAY)],
  [
    new RegExp(
      `\\b(?:in |over |for |during )?(?:the )?(?:past|last|previous) (\\d{1,3}|${Object.keys(COUNTS).join('|')}) ?(${LENGTH})s?\\b`,
      'u',
    ),
    ([, count = '', unit = ''], now) => back((COUNTS[count] ?? Number(count)) * (LENGTHS[unit] ?? 0), now),
  ],
  [
    /\b(?:in |over |for )?(?:the )?(?:(?:past|last) )?(\d{1,3}) ?(h|d)\b/u,
    ([, count, unit], now) => back(Number(count) * (unit === 'h' ? HOUR : DAY), now),
  ],
  [/\b(?:the )?last week\b/u, () => 'last-week'],
  [/\b(?:the )?last month\b/u, () => 'last-month'],
  [/\b(?:since|during) (?:the )?(?:start|beginning) of the (week|month)\b/u, ([, unit]) => unit],
  [/\b(?:since the (?:1st|first)|month to date|mtd)\b(?! of )/u, () => 'month'],
  [/\b(?:week to date|wtd)\b/u, () => 'week'],
  [/\b(?:this|the current) (week|wk|month)\b/u, ([, unit]) => (unit === 'wk' ? 'week' : unit)],
  [/\b(?:the )?(week|month) so far\b/u, ([, unit]) => unit],
  [/\b(?:this quarter|quarter to date|qtd|the quarter so far)\b/u, (_, now) => span(quarterOf(now)[0], now)],
  [/\b(?:the )?(?:last|previous) quarter\b/u, (_, now) => span(...quarterOf(quarterOf(now)[0] - DAY))],
  [
    /\b(?:in |for |during )?q([1-4])\b/u,
    ([, number], now) => spanUntil(now, ...monthsFrom(Number(number) * 3 - 3, 3, now)),
  ],
  [/\b(?:this year|year to date|ytd)\b/u, (_, now) => span(monthsFrom(0, 1, now)[0], now)],
  [
    /(?<!\b(?:next|coming|upcoming) )\b(?:(?:over|on|during|in|at) )?(?:the |this )?(?:last |past )?weekend\b/u,
    (_, now) => spanUntil(now, lastOf('saturday', now), lastOf('saturday', now) + 2 * DAY),
  ],
  [
    new RegExp(`\\b(?:over |in )?(?:the )?(?:past|last) (${LENGTH})\\b`, 'u'),
    ([, unit = ''], now) => back(LENGTHS[unit] ?? 0, now),
  ],
  [/\b(?:today|so far today)\b/u, () => 'today'],
  [/\b(?:this|since this) morning\b/u, () => 'today'],
  [
    /\b(?:overnight|over night|during the night|last (?:night|nite)|tonight)\b/u,
    (_, now) => span(midnight(now) - 6 * HOUR, Math.min(now, midnight(now) + 6 * HOUR)),
  ],
  [/\b(?:since|from) yesterday (?:evening|night)\b/u, (_, now) => span(midnight(now) - 6 * HOUR, now)],
  [/\b(?:since|from) yesterday\b/u, (_, now) => span(midnight(now) - DAY, now)],
  [/\b(?:the )?day before yesterday\b/u, (_, now) => span(midnight(now) - 2 * DAY, midnight(now) - DAY)],
  [/\byesterday\b/u, (_, now) => span(midnight(now) - DAY, midnight(now))],
  [/\bsince midnight\b/u, () => 'today'],
  [
    /\bsince (?:(noon)|(\d{1,2}) ?(am|pm)|(\d{1,2}):(\d\d))(?: today)?(?![\w:])/u,
    ([, noon, hour, half, clock, minute], now) => {
      const from =
        noon === undefined ? (Number(hour ?? clock) % (half === undefined ? 24 : 12)) + (half === 'pm' ? 12 : 0) : 12
      return span(midnight(now) + from * HOUR + Number(minute ?? 0) * (HOUR / 60), now)
    },
  ],
  [new RegExp(`\\bsince (?:last )?(${WEEKDAY})\\b`, 'u'), ([, day = ''], now) => span(lastOf(day, now), now)],
  [
    new RegExp(`\\b(?:on |last )(${WEEKDAY})\\b`, 'u'),
    ([, day = ''], now) => spanUntil(now, lastOf(day, now), lastOf(day, now) + DAY),
  ],
  [
    new RegExp(
      `\\bsince (?:the )?(?:(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${MONTH})|(${MONTH}) (\\d{1,2})(?:st|nd|rd|th)?)\\b`,
      'u',
    ),
    ([, dayBefore, monthAfter, month, day], now) =>
      span(monthOf(month ?? monthAfter ?? '', now)[0] + (Number(day ?? dayBefore) - 1) * DAY, now),
  ],
  [
    new RegExp(`\\bsince (?:the (?:start|beginning) of )?(${MONTH})\\b`, 'u'),
    ([, month = ''], now) => span(monthOf(month, now)[0], now),
  ],
  [
    new RegExp(`\\b(?:in|during|for|of) (${MONTH})\\b`, 'u'),
    ([, month = ''], now) => spanUntil(now, ...monthOf(month, now)),
  ],
]

/** Which time a question names, as the text of a range, and the question without it. */
export function timeIn(
  text: string,
  now: number,
): { readonly range: string | undefined; readonly rest: string; readonly at: number } {
  for (const [pattern, read] of RULES) {
    const found = pattern.exec(text)
    const range = found === null ? undefined : read(found, now)
    if (found === null || range === undefined || parseRange(range) === undefined) continue
    // As long as it was, so that what stands behind it keeps its place.
    return { range, rest: text.replace(found[0], ' '.repeat(found[0].length)), at: found.index }
  }
  return { range: undefined, rest: text, at: 0 }
}

const JUST_BEFORE = /\b(?:the )?(?:(?:day|week|month|one) before|previous (?:day|week|month|one))\b/u

/** The times that a question compares, in its order; `against` is undefined where it names one or none. */
export function timesIn(
  text: string,
  now: number,
): { readonly range: string | undefined; readonly against: string | undefined; readonly rest: string } {
  const one = timeIn(text, now)
  const parsed = one.range === undefined ? undefined : parseRange(one.range)
  if (one.range === undefined || parsed === undefined) return { ...one, against: undefined }
  const before = JUST_BEFORE.exec(one.rest)
  if (before !== null) {
    const { from, to } = spanOfRange(parsed, instant(now))
    return { range: one.range, against: span(from - (to - from), from), rest: one.rest.replace(before[0], ' ') }
  }
  const other = timeIn(one.rest, now)
  if (other.range === undefined || other.range === one.range) return { ...one, against: undefined }
  const [range, against] = one.at <= other.at ? [one.range, other.range] : [other.range, one.range]
  return { range, against, rest: other.rest }
}

const back = (length: number, now: number): string | undefined => QUICK.get(length) ?? span(now - length, now)

const span = (from: number, to: number): string | undefined => (from < to ? `${iso(from)}/${iso(to)}` : undefined)
/** As far of it as has come. */
const spanUntil = (now: number, from: number, to: number): string | undefined => span(from, Math.min(now, to))

const iso = (at: number): string => new Date(at).toISOString()
const dayAt = (text = ''): number => Date.parse(`${text}T00:00:00Z`) || 0
const midnight = (now: number): number => Math.floor(now / DAY) * DAY

/** When the last such day began that is not still to come. 1970 began on a Thursday. */
function lastOf(day: string, now: number): number {
  const today = (Math.floor(now / DAY) + 3) % 7
  return midnight(now) - ((today - WEEKDAYS.findIndex((one) => one.startsWith(day.slice(0, 3))) + 7) % 7) * DAY
}

/** The last such month that has begun. */
const monthOf = (name: string, now: number): readonly [number, number] =>
  monthsFrom(
    MONTHS.findIndex((one) => one.startsWith(name.slice(0, 3))),
    1,
    now,
  )

/** So many months from one on: of the last year in which they have begun. */
function monthsFrom(month: number, count: number, now: number): readonly [number, number] {
  const today = new Date(now)
  const year = today.getUTCFullYear() - (month > today.getUTCMonth() ? 1 : 0)
  return [Date.UTC(year, month), Date.UTC(year, month + count)]
}

/** The quarter that a time is in. */
const quarterOf = (at: number): readonly [number, number] =>
  monthsFrom(Math.floor(new Date(at).getUTCMonth() / 3) * 3, 3, at)

const SAYS: Readonly<Record<string, string>> = {
  '1h': 'Over the past hour',
  '6h': 'Over the past 6 hours',
  '24h': 'Over the past 24 hours',
  '7d': 'Over the past 7 days',
  '30d': 'Over the past 30 days',
  today: 'Today',
  week: 'This week',
  month: 'This month',
  'last-week': 'Last week',
  'last-month': 'Last month',
}

/** How a range is said where a sentence begins. */
export function rangeWords(text: string): string {
  const range = parseRange(text)
  const known = SAYS[text.split('@')[0] ?? '']
  if (known !== undefined || range === undefined) return known ?? text
  const [from = '', to = ''] = rangeText(range).split('/')
  return `From ${instantWords(from)} to ${instantWords(to)}`
}

/** The same within one: "over the past 7 days". */
export const rangePhrase = (text: string): string =>
  rangeWords(text).replace(/^[A-Z]/u, (letter) => letter.toLowerCase())

/** "2026-11-02 14:05 UTC". */
export const instantWords = (text: string): string => `${text.slice(0, 16).replace('T', ' ')} UTC`

/** Whether a time is in a range; all are where none is named. */
export function withinOf(text: string | undefined, at: number): (time: string) => boolean {
  const range = text === undefined ? undefined : parseRange(text)
  if (range === undefined) return () => true
  const { from, to } = spanOfRange(range, instant(at))
  return (time) => Date.parse(time) >= from && Date.parse(time) <= to
}
