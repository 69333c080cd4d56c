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

/** What is stored of a cluster, to plan by. */
export async function storedContext(
  usage: Pick<UsageStore, 'coverage'>,
  { cluster, now }: { readonly cluster: string; readonly now: Instant },
): Promise<PlanContext> {
  const stored = await storedSpans(usage, cluster)
  return { now, rolledUpTo: stored['1h']?.to ?? stored['1d']?.to ?? instant(0), stored }
}

export type RangePlan = {
  /** What is really looked at. */
  readonly window: Window
  /** Length of one point of the trend. */
  readonly trendSpan: Span
  readonly segments: readonly Segment[]
  /** The same for the sums of a part of the window, which need no point of the trend. */
  readonly within: (part: Window) => readonly Segment[]
}

export type PlanContext = {
  readonly now: Instant
  readonly rolledUpTo: Instant
  readonly stored: StoredSpans
}

/** Which rows to read for a range. */
export function planRange(range: TimeRange, context: PlanContext): RangePlan {
  if (range.kind !== 'quick') return planWindow(spanOfRange(range, context.now), context)
  return planBy(windowOf(range.name, context.now), COARSEST[range.name], context)
}

/** The same for a window that was planned before: it is read again as it is, for rows of somebody in particular. */
export function planAgain(
  window: Window,
  { range, ...context }: PlanContext & { readonly range: TimeRange },
): RangePlan {
  const then = { ...context, now: window.to }
  return range.kind === 'quick' ? planBy(window, COARSEST[range.name], then) : planWindow(window, then)
}

/** The same for any window, up to now. */
export function planWindow({ from, to: asked }: Window, context: PlanContext): RangePlan {
  const to = instant(Math.min(asked, context.now))
  if (to <= from) return { window: { from, to: from }, trendSpan: '5m', segments: [], within: () => [] }
  return planBy({ from, to }, spanFor(to - from), context)
}

/** The same of a window up to now, by rows of this length at most unless only longer ones are kept of its edges. */
export function planBy(window: Window, coarsest: Span, context: PlanContext): RangePlan {
  const first = Math.min(...SPANS.flatMap((span) => context.stored[span]?.from ?? []))
  const edges = [instant(Math.max(window.from, Math.min(first, window.to))), window.to].map((edge) =>
    edge === context.now ? '5m' : keptAt(context.stored, edge),
  )
  const trendSpan = SPANS.findLast((span) => span === coarsest || edges.includes(span)) ?? coarsest
  // A trend of five minutes has a row for each, a sum of as many needs but those of whole hours and of the edges.
  const summed = trendSpan === '5m' ? '1h' : trendSpan
  const within = (part: Window): readonly Segment[] => cover(part, summed, context)
  return { window, trendSpan, segments: cover(window, trendSpan, context), within }
}

/** The length of the rows that an edge of the window cuts, where these are longer than five minutes. */
export const spreadOver = ({ segments }: Pick<RangePlan, 'segments'>): Exclude<Span, '5m'> | undefined => {
  const spans = segments.flatMap(({ span, share }) => (share === undefined || span === '5m' ? [] : span))
  return spans.includes('1d') ? '1d' : spans[0]
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

/**
 * Long rows in the middle, shorter ones toward the edges; hours that ended after the last roll-up have no long row yet. Of a
 * row that an edge cuts, as much counts as lies within the window: use is taken to be even over it. So windows that join
 * add up to the one that they make, whatever is still kept of their time.
 */
function cover(window: Window, span: Span, context: PlanContext): readonly Segment[] {
  if (window.to <= window.from) return []
  const length = SPAN_SECONDS[span]
  // The row of this moment holds what is over of it.
  const isOpen = span === '5m' && window.to === context.now
  const from = floorTo(window.from + length * 1000 - 1, length)
  const to = isOpen ? window.to : floorTo(span === '5m' ? window.to : Math.min(window.to, context.rolledUpTo), length)
  const edge = (part: Window): readonly Segment[] => {
    if (part.to <= part.from) return []
    const finer = SPANS[SPANS.indexOf(span) - 1]
    if (finer === undefined) return cut(part, span)
    const since = instant(Math.min(part.to, Math.max(part.from, finelyKeptFrom(context, { finer, span, part }))))
    return [...cut({ from: part.from, to: since }, span), ...cover({ from: since, to: part.to }, finer, context)]
  }
  if (to <= from) return edge(window)
  return [
    ...edge({ from: window.from, to: from }),
    { span, window: { from, to } },
    ...edge({ from: to, to: window.to }),
  ]
}

/**
 * From when on a part of long rows is read from shorter ones, always from where a long row begins: a moment is read from
 * the same rows in whichever window it lies. What has not been rolled up yet, or is older than all long rows, has only the
 * shorter ones.
 */
function finelyKeptFrom(
  { stored, rolledUpTo }: PlanContext,
  { finer, span, part }: { readonly finer: Span; readonly span: Span; readonly part: Window },
): number {
  const [kept, longer] = [stored[finer], stored[span]]
  if (part.to > rolledUpTo || longer === undefined || part.to <= longer.from) return part.from
  return kept === undefined ? part.to : floorTo(kept.from, SPAN_SECONDS[span])
}

/** A part of one row, or of each of two that meet in it. */
function cut({ from, to }: Window, span: Span): readonly Segment[] {
  if (to <= from) return []
  const length = SPAN_SECONDS[span]
  const start = floorTo(from, length)
  const end = instant(start + length * 1000)
  const row = { span, window: { from: start, to: end }, share: (Math.min(to, end) - from) / (length * 1000) }
  return to <= end ? [row] : [row, ...cut({ from: end, to }, span)]
}
