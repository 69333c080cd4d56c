import { DAY_MS, instant, type Instant, type Span, type Window } from '@septet/domain'

/** One table that holds a stretch of time of one kind of rows; dropping it is how old rows go. */
export type TimePartition = Window & { readonly name: string }

/** 1970-01-05 was a Monday. */
const MONDAY_MS = 4 * DAY_MS

/** How rows are kept: by span, and five-minute rows of hours that are over packed, see `packed-hours.ts`. */
export type Kept = Span | 'packed'

export const TABLES = {
  '5m': 'usage_5m',
  packed: 'usage_packed',
  '1h': 'usage_1h',
  '1d': 'usage_1d',
} as const satisfies Record<Kept, string>

const dayOf = (at: number): Window => stretch(Math.floor(at / DAY_MS) * DAY_MS, 1)

const STRETCHES = {
  '5m': dayOf,
  packed: dayOf,
  '1h': (at: number) => stretch(Math.floor((at - MONDAY_MS) / (7 * DAY_MS)) * 7 * DAY_MS + MONDAY_MS, 7),
  '1d': (at: number) => month(new Date(at)),
} satisfies Record<Kept, (at: number) => Window>

/** The partition that a bucket lies in: a day of 5-minute rows, a week of hourly ones, a month of daily ones; in UTC. */
export function partitionOf(kept: Kept, at: Instant): TimePartition {
  const window = STRETCHES[kept](at)
  const day = new Date(window.from).toISOString().slice(0, 10).replaceAll('-', '')
  return { ...window, name: `${TABLES[kept]}_${day}` }
}

/** The start of the oldest partition that holds anything younger than `keepSeconds`. All before it goes. */
export const oldestKept = (kept: Kept, keepSeconds: number, now: Instant): Instant =>
  partitionOf(kept, instant(now - keepSeconds * 1000)).from

const stretch = (from: number, days: number): Window => ({ from: instant(from), to: instant(from + days * DAY_MS) })

const month = (date: Date): Window => ({
  from: instant(Date.UTC(date.getUTCFullYear(), date.getUTCMonth())),
  to: instant(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)),
})
