import type { FigureView } from '@septet/contract'
import { figureInWords } from '@septet/contract/figure-words'
import type { Instant, TimeRange } from '@septet/domain'

/** A figure as every face writes it; what is not known says why. */
export function figure(one: FigureView): string {
  const { known, value, unit } = figureInWords(one)
  if (known) return `${value}${unit}`
  return one.because === null ? 'not measured' : `not measured (${one.because.replace(/\.$/u, '')})`
}

const CALENDAR = {
  today: 'today',
  week: 'this week',
  month: 'this month',
  'last-week': 'last week',
  'last-month': 'last month',
} as const
const QUICK = { '1h': 'hour', '6h': '6 hours', '24h': '24 hours', '7d': '7 days', '30d': '30 days' } as const

/** "Over the past 7 days", "this week", "from 2026-11-01 00:00 UTC to 2026-11-08 00:00 UTC". */
export function over(range: TimeRange): string {
  if (range.kind === 'quick') return `over the past ${QUICK[range.name]}`
  if (range.kind === 'calendar') return CALENDAR[range.name]
  return `from ${instantWords(range.window.from)} to ${instantWords(range.window.to)}`
}

/** "2026-11-02 14:05 UTC". */
export const instantWords = (at: Instant | string): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** A name from the cluster: it is quoted, as it is data. */
export const quoted = (name: string): string => `“${name}”`
