import { DAY_MS, instant, SPAN_SECONDS, type Instant, type Span, type Window } from '@septet/domain'

import { floorTo, type Segment } from '../usage/segments.ts'

/** How far back each kind of row is read on first contact, newest first; days for as long as is set. */
const WANTED = [
  { span: '5m', days: 0.25 },
  { span: '1h', days: 8 },
  { span: '1d', days: Infinity },
] as const satisfies ReadonlyArray<{ span: Span; days: number }>

/** A large fleet is read less far back in fine rows: about this many rows a span. */
const MOST_ROWS = 250_000

/**
 * What past usage to read from a metrics engine: what is wanted, less what is stored already. Each time is read once, by one
 * length of rows; longer rows of it are rolled up. What lies after the oldest row that is stored was seen, or is settled as a
 * hole. `partitions` is how many rows one bucket takes.
 */
export function backfillPlan({ now, since, days: most, partitions, stored }: BackfillNeed): readonly Segment[] {
  const segments: Segment[] = []
  let to = floorTo(Math.min(now, since ?? now), SPAN_SECONDS['5m'])
  for (const { span, days } of WANTED) {
    const seconds = SPAN_SECONDS[span]
    const affordable = (MOST_ROWS / Math.max(1, partitions)) * seconds * 1000
    // Hourly and finer rows begin at a whole day or hour, so that rolling them up makes whole buckets.
    const align = span === '1h' ? 86_400 : Math.max(seconds, 3600)
    const back = Math.min(Math.min(days, most) * DAY_MS, Math.max(affordable, 2 * seconds * 1000))
    const from = floorTo(Math.min(now - back, to), align)
    const end = instant(Math.min(to, stored[span]?.from ?? to))
    if (from < end) segments.push({ span, window: { from, to: end } })
    to = from
  }
  return segments
}

/** Rows that are held in memory at a time, about. */
const ROWS_OF_PIECE = 60_000

/** A segment in pieces that fit into memory on a large fleet, newest first. Five-minute pieces are whole hours. */
export function backfillPieces({ span, window }: Segment, partitions: number): readonly Segment[] {
  const bucket = SPAN_SECONDS[span] * 1000
  const least = span === '5m' ? SPAN_SECONDS['1h'] * 1000 : bucket
  const affordable = Math.floor(ROWS_OF_PIECE / Math.max(1, partitions)) * bucket
  const length = Math.max(least, Math.floor(affordable / least) * least)
  const pieces: Segment[] = []
  let { to } = window
  while (to > window.from) {
    const from = instant(Math.max(window.from, Math.floor((to - 1) / length) * length))
    pieces.push({ span, window: { from, to } })
    to = from
  }
  return pieces
}

type BackfillNeed = {
  readonly now: Instant
  /** Since when it is seen; undefined: from now on. */
  readonly since: Instant | undefined
  /** How far back at most. */
  readonly days: number
  readonly partitions: number
  readonly stored: Readonly<Record<Span, Window | undefined>>
}
