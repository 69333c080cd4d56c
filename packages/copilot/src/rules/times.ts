import { instant, parseRange, rangeText, spanOfRange } from '@septet/domain'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const LENGTHS: Readonly<Record<string, number>> = { hour: HOUR, day: DAY, week: 7 * DAY, month: 30 * DAY }
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
  ten: 10,
}

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
    /\b(?:in |over |for |during )?(?:the )?(?:past|last|previous) (\d{1,3}|one|two|three|four|five|six|seven|ten) ?(hour|day|week|month)s?\b/u,
    ([, count = '', unit = ''], now) => back((COUNTS[count] ?? Number(count)) * (LENGTHS[unit] ?? 0), now),
  ],
  [
    /\b(?:in |over |for )?(?:the )?(?:(?:past|last) )?(\d{1,3}) ?(h|d)\b/u,
    ([, count, unit], now) => back(Number(count) * (unit === 'h' ? HOUR : DAY), now),
  ],
  [/\b(?:the )?last week\b/u, () => 'last-week'],
  [/\b(?:the )?last month\b/u, () => 'last-month'],
  [/\b(?:since|during) (?:the )?(?:start|beginning) of the (week|month)\b/u, ([, unit]) => unit],
  [/\b(?:since the (?:1st|first)|month to date|mtd)\b/u, () => 'month'],
  [/\b(?:this|the current) (week|month)\b/u, ([, unit]) => unit],
  [
    /\b(?:over |in )?(?:the )?(?:past|last) (hour|day|week|month)\b/u,
    ([, unit = ''], now) => back(LENGTHS[unit] ?? 0, now),
  ],
  [/\b(?:today|so far today)\b/u, () => 'today'],
  [/\b(?:this|since this) morning\b/u, () => 'today'],
  [
    /\b(?:overnight|last night|tonight)\b/u,
    (_, now) => span(midnight(now) - 6 * HOUR, Math.min(now, midnight(now) + 6 * HOUR)),
  ],
  [/\b(?:since|from) yesterday (?:evening|night)\b/u, (_, now) => span(midnight(now) - 6 * HOUR, now)],
  [/\b(?:since|from) yesterday\b/u, (_, now) => span(midnight(now) - DAY, now)],
  [/\byesterday\b/u, (_, now) => span(midnight(now) - DAY, midnight(now))],
  [
    new RegExp(`\\bsince (?:last )?(${WEEKDAYS.join('|')})\\b`, 'u'),
    ([, day = ''], now) => span(lastOf(day, now), now),
  ],
  [
    new RegExp(`\\b(?:on |last )(${WEEKDAYS.join('|')})\\b`, 'u'),
    ([, day = ''], now) => span(lastOf(day, now), Math.min(now, lastOf(day, now) + DAY)),
  ],
  [new RegExp(`\\bsince (${MONTHS.join('|')})\\b`, 'u'), ([, month = ''], now) => span(monthOf(month, now)[0], now)],
  [
    new RegExp(`\\b(?:in|during|for) (${MONTHS.join('|')})\\b`, 'u'),
    ([, month = ''], now) => span(monthOf(month, now)[0], Math.min(now, monthOf(month, now)[1])),
  ],
]

/** Which time a question names, as the text of a range, and the question without it. */
export function timeIn(text: string, now: number): { readonly range: string | undefined; readonly rest: string } {
  for (const [pattern, read] of RULES) {
    const found = pattern.exec(text)
    const range = found === null ? undefined : read(found, now)
    if (found === null || range === undefined || parseRange(range) === undefined) continue
    return { range, rest: text.replace(found[0], ' ') }
  }
  return { range: undefined, rest: text }
}

const back = (length: number, now: number): string | undefined => QUICK.get(length) ?? span(now - length, now)

const span = (from: number, to: number): string | undefined => (from < to ? `${iso(from)}/${iso(to)}` : undefined)

const iso = (at: number): string => new Date(at).toISOString()
const dayAt = (text = ''): number => Date.parse(`${text}T00:00:00Z`) || 0
const midnight = (now: number): number => Math.floor(now / DAY) * DAY

/** When the last such day began that is not still to come. 1970 began on a Thursday. */
function lastOf(day: string, now: number): number {
  const today = (Math.floor(now / DAY) + 3) % 7
  return midnight(now) - ((today - WEEKDAYS.indexOf(day) + 7) % 7) * DAY
}

/** The last such month that has begun. */
function monthOf(name: string, now: number): readonly [number, number] {
  const month = MONTHS.indexOf(name)
  const today = new Date(now)
  const year = today.getUTCFullYear() - (month > today.getUTCMonth() ? 1 : 0)
  return [Date.UTC(year, month), Date.UTC(year, month + 1)]
}

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

/** "2026-11-02 14:05 UTC". */
export const instantWords = (text: string): string => `${text.slice(0, 16).replace('T', ' ')} UTC`

/** Whether a time is in a range; all are where none is named. */
export function withinOf(text: string | undefined, at: number): (time: string) => boolean {
  const range = text === undefined ? undefined : parseRange(text)
  if (range === undefined) return () => true
  const { from, to } = spanOfRange(range, instant(at))
  return (time) => Date.parse(time) >= from && Date.parse(time) <= to
}
