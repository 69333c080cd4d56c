import { dateIn, dateText, instant, parseRange, startOfDate, wallText, type TimeRange } from '@septet/domain'

import type { ReportFile } from './schemas/report.ts'

type Asked = {
  /** As it was asked for: `7d`, `last-month@Europe/Berlin`, two instants. */
  readonly range: string
  /** What it came to; null: sample data. */
  readonly window: { readonly from: string; readonly to: string } | null
}

type Ends = {
  readonly zone: string
  /** Dates of the first and of the last day, `2026-11-18`. */
  readonly first: string
  readonly last: string
  /** Times of day at which it begins and ends, `08:00`; undefined where whole days are meant. */
  readonly times: readonly [from: string, to: string] | undefined
}

/** The time that a report is about, as a reader says it: "November 18–25, 2026", "October 2026", "Sample data". */
export function reportPeriod(asked: Asked): string {
  const ends = endsOf(asked)
  if (ends === undefined) return 'Sample data'
  const { first, last, times, zone } = ends
  const ofZone = zone === 'UTC' ? '' : ` (${zone})`
  if (isMonth(ends)) return `${MONTH.format(new Date(first))}${ofZone}`
  // Within a month only the days are told twice; ICU's spaces about the dash are thin ones.
  const days = DAY.formatRange(new Date(first), new Date(last))
    .replaceAll(/\s*–\s*/gu, ' – ')
    .replace(/(\d) – (\d+,)/u, '$1–$2')
  return times === undefined ? `${days}${ofZone}` : `${days}, ${times[0]}–${times[1]} ${zone}`
}

/** How a range that ends now is called beside its dates: "last 7 days"; undefined for those that its dates say whole. */
export function rangeName({ range, window }: Asked): string | undefined {
  const parsed = window === null ? undefined : parseRange(range)
  return parsed?.kind === 'quick' ? QUICK_NAMES[parsed.name] : undefined
}

const QUICK_NAMES = {
  '1h': 'last hour',
  '6h': 'last 6 hours',
  '24h': 'last 24 hours',
  '7d': 'last 7 days',
  '30d': 'last 30 days',
} satisfies Record<Extract<TimeRange, { kind: 'quick' }>['name'], string>

type Named = Asked & { readonly source: { readonly id: string } }

/** The name under which a report, or a table of it, is kept: `septet-demo-report-2026-10.pdf`. */
export function reportFileName(file: ReportFile, { source, ...asked }: Named): string {
  const what = file === 'pdf' || file === 'json' ? 'report' : file
  const type = file === 'pdf' || file === 'json' ? file : 'csv'
  const ends = endsOf(asked)
  return `septet-${[source.id, what, ...(ends === undefined ? [] : [periodName(ends)])].join('-')}.${type}`
}

function periodName(ends: Ends): string {
  const { first, last, times } = ends
  if (isMonth(ends)) return first.slice(0, 7)
  if (first !== last) return `${first}-to-${last}`
  return times === undefined ? first : `${first}-${times.map((time) => time.replace(':', '')).join('-to-')}`
}

function endsOf({ range, window }: Asked): Ends | undefined {
  if (window === null) return undefined
  const parsed = parseRange(range)
  const zone = parsed?.kind === 'calendar' ? parsed.zone : 'UTC'
  const [from, to] = [instant(Date.parse(window.from)), instant(Date.parse(window.to))]
  // The end is the first instant that is not a part of it: midnight belongs to the day before.
  const [begins, ends] = [dateIn(zone, from), dateIn(zone, instant(Math.max(from, to - 1)))]
  const [first, last] = [dateText(begins), dateText(ends)]
  const isWhole = from === startOfDate(zone, begins) && to === startOfDate(zone, dateIn(zone, to))
  const times = first === last && !isWhole ? ([from, to] as const).map((at) => wallText(zone, at).slice(11)) : undefined
  return { zone, first, last, times: times === undefined ? undefined : [times[0] ?? '', times[1] ?? ''] }
}

/** Whether it is one month of the calendar, from its first day to its last. */
function isMonth({ first, last, times }: Ends): boolean {
  const [year = 0, month = 0] = first.split('-').map(Number)
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return times === undefined && first.endsWith('-01') && last === `${first.slice(0, 8)}${days}`
}

const MONTH = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'long', timeZone: 'UTC' })
const DAY = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' })
