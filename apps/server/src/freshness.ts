import { MINUTE_MS, ratio, spanOfRange, type Instant, type Ratio, type TimeRange, type Window } from '@septet/domain'
import { DAY_AND_TIME, percent } from '@septet/domain/words'

import type { HistoryProgress, RangeAnalysis } from './facts.ts'

/**
 * What was looked back on: the range that was asked for, the window it came to, when that was worked out, and how far the
 * past was read then, where that is not as far as it is now.
 */
export type LookedBack = {
  readonly range: TimeRange
  readonly window: Window
  readonly madeAt: Instant
  readonly history?: HistoryProgress | undefined
}

/** For so long an answer waits for a newer analysis; then it says how old the one before is. */
export const PATIENCE_MS = 5000

/** A window may end this share of its range's length away from the newest reading without a word. */
const TOLERATED = 0.05
/** However long the range: one further behind is worth waiting for. */
const WORTH_WAITING_MS = 10 * MINUTE_MS

/** Whether a newer analysis would reach so much further that an answer waits for it. `asOf`: the newest reading. */
export const isOutdated = (found: LookedBack, asOf: Instant): boolean =>
  behind(found, asOf) > Math.min(toleratedMs(found.range, asOf), WORTH_WAITING_MS)

/** An analysis as what was looked back on over a range. */
export const lookedBack = (range: TimeRange, { analysis: { window }, madeAt, history }: RangeAnalysis): LookedBack => ({
  range,
  window,
  madeAt,
  history,
})

/**
 * How old the figures of a window are, in a sentence: its analysis ends before the newest reading, or the cluster was not
 * read up to its end. Undefined where neither is worth a word. A range that lies in the past is never old.
 */
export function ageWords(found: LookedBack, asOf: Instant): string | undefined {
  const { range, window } = found
  const tolerated = toleratedMs(range, asOf)
  const zone = range.kind === 'calendar' ? range.zone : 'UTC'
  const clock = new Intl.DateTimeFormat('en-US', { ...DAY_AND_TIME, timeZone: zone })
  const [end, read] = [window.to, asOf].map((at) => `${clock.format(at)} (${zone})`)
  if (behind(found, asOf) > tolerated)
    return `These figures end at ${end}; the cluster was last read at ${read}. What happened in between is not in them yet.`
  if (ahead(found, asOf) > tolerated)
    return `The cluster was last read at ${read}, before this range ends at ${end}. What happened since is not in these figures.`
  return undefined
}

/** The share of the past that is read, while a window reaches into what is not; undefined where it does not. */
export function shareRead(history: HistoryProgress | undefined, { from, to }: Window): Ratio | undefined {
  // Where either is without any time, nothing lies in both.
  const reaches = history?.left?.some((unread) => Math.max(unread.from, from) < Math.min(unread.to, to)) ?? false
  if (history === undefined || !reaches) return undefined
  // What is read last is rolled up last: until then not all of it is in the figures.
  return ratio(Math.min(MOST_READ, Math.floor((history.done / history.of) * 100) / 100))
}
const MOST_READ = 0.99

/** That a window reaches into a past that is not read yet, in sentences; undefined where it does not. */
export function unreadWords(history: HistoryProgress | undefined, window: Window): string | undefined {
  const share = shareRead(history, window)
  return share === undefined
    ? undefined
    : `Septet is still reading the past: ${percent(share, 0)} is read. Amounts that reach back to it are too low until it is done.`
}

/** By how much a window ends before it could, milliseconds: not at all where it was worked out after its range was over. */
function behind({ range, window, madeAt }: LookedBack, asOf: Instant): number {
  const asked = spanOfRange(range, asOf)
  const end = Math.min(asked.to, asOf)
  if (madeAt >= end) return 0
  // Of a day that is over nothing counts for the one that has begun.
  const isOfBefore = range.kind === 'calendar' && spanOfRange(range, madeAt).from < asked.from
  return isOfBefore ? Infinity : end - window.to
}

/** By how much a window ends after the newest reading, milliseconds. Edges may go to the nearest row: what was asked counts. */
function ahead({ range, window, madeAt }: LookedBack, asOf: Instant): number {
  const isEmpty = window.to <= window.from
  return isEmpty ? 0 : Math.min(window.to, spanOfRange(range, madeAt).to) - asOf
}

/** Of a range that has begun what is over counts; its first minutes are not told from one another. */
function toleratedMs(range: TimeRange, asOf: Instant): number {
  const { from, to } = spanOfRange(range, asOf)
  const over = Math.max(MINUTE_MS, (Math.min(to, asOf) - from) * TOLERATED)
  return Math.min((to - from) * TOLERATED, over)
}
