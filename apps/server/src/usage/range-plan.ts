import {
  HOUR_MS,
  instant,
  SPAN_SECONDS,
  spanOfRange,
  type Instant,
  type Span,
  type TimeRange,
  type UsageStore,
  type Window,
} from '@septet/domain'

import { keptFor } from '../recently-used.ts'
import { COARSEST, floorTo, windowOf, type Segment } from './segments.ts'

/** Which rows of a cluster are stored, per span. */
export type StoredSpans = Readonly<Record<Span, Window | undefined>>

export async function storedSpans(usage: Pick<UsageStore, 'coverage'>, cluster: string): Promise<StoredSpans> {
  const [fine, hours, days] = await Promise.all(SPANS.map((span) => usage.coverage(cluster, span)))
  return { '5m': fine, '1h': hours, '1d': days }
}

/** It changes as time goes by, and when more of the past is read. */
const SPANS_KEPT_MS = 60_000

/** The same, asked of the store once a minute at most. */
export function recentSpans(usage: UsageStore, cluster: string, now: () => number): () => Promise<StoredSpans> {
  const kept = keptFor<StoredSpans>(SPANS_KEPT_MS, now)
  return () => kept.get(cluster, () => storedSpans(usage, cluster))
}

export type RangePlan = {
  /** What is really looked at. */
  readonly window: Window
  /** Length of one point of the trend. */
  readonly trendSpan: Span
  readonly segments: readonly Segment[]
}

export type PlanContext = {
  readonly now: Instant
  readonly rolledUpTo: Instant
  readonly stored: StoredSpans
}

/** Which rows to read for a range. */
export function planRange(range: TimeRange, context: PlanContext): RangePlan {
  if (range.kind !== 'quick') return planWindow(spanOfRange(range, context.now), context)
  return planQuick(windowOf(range.name, context.now), COARSEST[range.name], context)
}

/** The same for a window that was planned before: it is read again as it is, for rows of somebody in particular. */
export function planAgain(
  window: Window,
  { range, ...context }: PlanContext & { readonly range: TimeRange },
): RangePlan {
  if (range.kind !== 'quick') return planWindow(window, { ...context, now: window.to })
  return planQuick(window, COARSEST[range.name], context)
}

/** Just as long as asked: of the row in which it begins, as much counts as lies within it. */
function planQuick(window: Window, coarsest: Span, { stored, rolledUpTo }: PlanContext): RangePlan {
  const edge = keptAt(stored, window.from)
  const trendSpan = SPANS.findLast((span) => span === edge || span === coarsest) ?? coarsest
  const length = SPAN_SECONDS[edge] * 1000
  const start = floorTo(window.from, SPAN_SECONDS[edge])
  if (start === window.from) return { window, trendSpan, segments: cover(window, { span: trendSpan, rolledUpTo }) }
  const end = instant(Math.min(start + length, window.to))
  const cut = { span: edge, window: { from: start, to: end }, share: (end - window.from) / length }
  return {
    window,
    trendSpan,
    segments: [cut, ...cover({ from: end, to: window.to }, { span: trendSpan, rolledUpTo })],
  }
}

/**
 * The same for any window, up to now. Where only hours or days of that time are kept, an edge goes to the nearest one:
 * a day of a time zone becomes the day of UTC that it shares most with, or nearly so.
 */
export function planWindow(wanted: Window, context: PlanContext): RangePlan {
  const to = Math.min(wanted.to, context.now)
  if (to <= wanted.from) return { window: { from: wanted.from, to: wanted.from }, trendSpan: '5m', segments: [] }
  const edges = [keptAt(context.stored, wanted.from), to === context.now ? '5m' : keptAt(context.stored, instant(to))]
  const trendSpan = SPANS.findLast((span) => edges.includes(span) || span === spanFor(to - wanted.from)) ?? '5m'
  const window = {
    from: nearest(wanted.from, edges[0] ?? '5m'),
    to: to === context.now ? context.now : nearest(to, edges[1] ?? '5m'),
  }
  return { window, trendSpan, segments: cover(window, { span: trendSpan, rolledUpTo: context.rolledUpTo }) }
}

const SPANS: readonly Span[] = ['5m', '1h', '1d']

/** About as many points as a chart has room for. */
const spanFor = (length: number): Span => (length <= 12 * HOUR_MS ? '5m' : length <= 9 * 24 * HOUR_MS ? '1h' : '1d')

/** The finest rows that are kept of an instant; the finest of all where nothing is, for then no edge cuts a row. */
function keptAt(stored: StoredSpans, at: Instant): Span {
  const first = SPANS.find((span) => {
    const kept = stored[span]
    return kept !== undefined && kept.from <= at && at <= kept.to
  })
  return first ?? '5m'
}

const nearest = (at: number, span: Span): Instant => floorTo(at + (SPAN_SECONDS[span] * 1000) / 2, SPAN_SECONDS[span])

/** Long rows in the middle, shorter ones toward the edges; hours that ended after the last roll-up have no long row yet. */
function cover(
  window: Window,
  { span, rolledUpTo }: { readonly span: Span; readonly rolledUpTo: Instant },
): readonly Segment[] {
  if (window.to <= window.from) return []
  if (span === '5m') return [{ span, window }]
  const length = SPAN_SECONDS[span]
  const from = floorTo(window.from + length * 1000 - 1, length)
  const to = floorTo(Math.min(window.to, rolledUpTo), length)
  const finer = { span: span === '1d' ? ('1h' as const) : ('5m' as const), rolledUpTo }
  if (to <= from) return cover(window, finer)
  return [
    ...cover({ from: window.from, to: from }, finer),
    { span, window: { from, to } },
    ...cover({ from: to, to: window.to }, finer),
  ]
}
