import {
  instant,
  QUICK_RANGE_MS,
  SPAN_SECONDS,
  type Instant,
  type QuickRange,
  type Span,
  type Window,
} from '@septet/domain'

/** A stretch of time that is read from rows of one span. */
export type Segment = {
  readonly span: Span
  readonly window: Window
  /** How much of its one row counts, where the edge of a range cuts it: use is taken to be even over a row. */
  readonly share?: number
}

export const floorTo = (at: number, seconds: number): Instant =>
  instant(Math.floor(at / (seconds * 1000)) * seconds * 1000)

/** A range that ends now, just as long as it is called. */
export const windowOf = (range: QuickRange, now: Instant): Window => ({
  from: instant(now - QUICK_RANGE_MS[range]),
  to: now,
})

/**
 * Which rows cover a window without counting anything twice: daily rows for ended days where the window is long, hourly
 * rows for ended hours, five-minute rows for the rest. `rolledUpTo` is when rows were last rolled up: hours that have
 * ended since have no hourly row yet. A row in which the window begins is read whole.
 */
export function segmentsOf(window: Window, coarsest: Span, rolledUpTo: Instant): readonly Segment[] {
  const segments: Segment[] = []
  let from = floorTo(window.from, SPAN_SECONDS[coarsest])
  for (const span of ['1d', '1h'] as const) {
    if (SPAN_SECONDS[span] > SPAN_SECONDS[coarsest]) continue
    const to = floorTo(Math.min(window.to, rolledUpTo), SPAN_SECONDS[span])
    if (to > from) segments.push({ span, window: { from, to } })
    from = to > from ? to : from
  }
  if (window.to > from) segments.push({ span: '5m', window: { from, to: window.to } })
  return segments
}

/** The coarsest rows that a range is read from, and the length of one point of its trend. */
export const COARSEST = { '1h': '5m', '6h': '5m', '24h': '1h', '7d': '1h', '30d': '1d' } satisfies Record<
  QuickRange,
  Span
>
