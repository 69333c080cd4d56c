import type { UsageRow } from '../../analyze/usage.ts'
import type { PriceOf } from '../../cost/prices-of.ts'
import { HOUR_MS, type Instant, instant, type Ratio, type Window } from '../../units.ts'
import {
  idleVerdict,
  addedUp,
  type Amounts,
  firstNot,
  type Freed,
  isMeasured,
  outcomeAmounts,
  outside,
  sum,
  type RecordedBucket,
  type RecordedWork,
} from './recorded-work.ts'
import { SLACK } from './recommend-context.ts'

export type Told = {
  readonly work: Pick<RecordedWork, 'buckets'>
  /** Beginnings of buckets in which anything was recorded, in order. */
  readonly recorded: readonly Instant[]
  /** Where the record ends. */
  readonly to: Instant
  readonly priceOf: PriceOf
}

/** What came after a change: work that would not have had enough, its end, or the end of the record. */
export type Followed = {
  readonly end: { readonly kind: 'stopped' | 'gone' | 'over'; readonly at: Instant; readonly bucket?: RecordedBucket }
  readonly freed: Freed
  /** Buckets that tell whether the change held, and those that do not. */
  readonly known: readonly RecordedBucket[]
  readonly unknown: readonly RecordedBucket[]
}

type Following = {
  readonly isStop: (bucket: RecordedBucket) => boolean
  readonly isKnown: (bucket: RecordedBucket) => boolean
  /** Which part of what was held in a bucket is freed, 0 to 1; all of it where it is left out. */
  readonly partIn?: (rows: readonly UsageRow[]) => (row: UsageRow) => number
}

/** What the record says of work from a change on, until one of its buckets is to stop at. */
export function followed(from: Instant, told: Told, { isStop, isKnown, partIn }: Following): Followed {
  const end = endAfter(from, told, isStop)
  const passed = told.work.buckets.filter(({ at }) => at >= from && at < end.at)
  const known = passed.filter(isKnown)
  const unknown = passed.filter((bucket) => !isKnown(bucket))
  const freed = addedUp(known.map(({ rows }) => outcomeAmounts(rows, told.priceOf, partIn?.(rows))))
  const dark = sum(unknown, ({ at, end: to }) => to - at) / HOUR_MS
  return { end, known, unknown, freed: { ...freed, unknownHours: gapHours(from, end.at, told.work.buckets) + dark } }
}

/** What the record says of work from the moment on at which it would have been stopped. */
export const followStop = (stoppedAt: Instant, told: Told): Followed =>
  followed(stoppedAt, told, { isStop: ({ did }) => did === 'work', isKnown: ({ did }) => did === 'nothing' })

function endAfter(from: Instant, { work, recorded, to }: Told, isStop: Following['isStop']): Followed['end'] {
  let seenTo = from
  for (const bucket of work.buckets) {
    if (bucket.at < from) continue
    if (isRecorded(recorded, seenTo, bucket.at)) return { kind: 'gone', at: seenTo }
    if (isStop(bucket)) return { kind: 'stopped', at: bucket.at, bucket }
    seenTo = bucket.end
  }
  return isRecorded(recorded, seenTo, to) ? { kind: 'gone', at: seenTo } : { kind: 'over', at: to }
}

/** Whether anything was recorded of a stretch: only then does nothing of some work mean that it was not there. */
export const isRecorded = (recorded: readonly Instant[], from: Instant, to: Instant): boolean =>
  (recorded[firstNot(recorded, (at) => at < from)] ?? Infinity) < to

/** Hours of which nothing was recorded. */
export function gapHours(from: Instant, to: Instant, buckets: readonly RecordedBucket[]): number {
  const seen = sum(buckets, ({ at, end }) => (at >= from && end <= to ? end - at : 0))
  return Math.max(0, to - from - seen) / HOUR_MS
}

/** Whether the past of work that was seen up to now says that it may be stopped; `before`: it said so an hour ago. */
export function saysStop(seen: readonly RecordedBucket[], now: Instant, before: boolean): boolean {
  const pods = new Set(seen.at(-1)?.rows.map(({ pod }) => pod))
  const { kind } = idleVerdict(seen, { until: now, pods, slack: before ? SLACK : 1 })
  return kind === 'in-a-row' || kind === 'in-between'
}

type Stopping = Told &
  Window & {
    readonly work: RecordedWork
    /** Busy at or under this is idle. */
    readonly threshold: Ratio
    /** How long its owner is warned before a stop, milliseconds. */
    readonly warningMs: number
  }

/**
 * What would have been kept, had this work been stopped each time its past said so: looked at at the end of each hour, its
 * owner warned first, only while it rests, and until it was used again. `wokeUp`: how often that was.
 */
export function keptByStops(stopping: Stopping): Amounts & { readonly wokeUp: number } {
  const { work, threshold, warningMs, from, to } = stopping
  const stops: (Window & Followed)[] = []
  let [advised, warnedAt, backAt] = [false, Infinity, 0]
  for (let now = hourAfter(from); now <= to; now = hourAfter(now)) {
    const seen = now <= backAt ? [] : outside(work.seenAt(now), stops)
    const isAtRest = seen.slice(-1).every(({ rows }) => rows.every((row) => rests(row, threshold)))
    advised = saysStop(seen, now, advised)
    if (advised && isAtRest) warnedAt = Math.min(warnedAt, now)
    if (now < warnedAt + warningMs || (advised && !isAtRest)) continue
    warnedAt = Infinity
    if (!advised) continue
    const after = followStop(now, stopping)
    backAt = after.end.at
    stops.push({ ...after, from: now, to: after.end.at })
  }
  const wokeUp = stops.filter(({ end }) => end.kind === 'stopped').length
  return { ...addedUp(stops.map(({ freed }) => freed)), wokeUp }
}

const rests = (row: UsageRow, threshold: Ratio): boolean => isMeasured(row) && (row.busy ?? 1) <= threshold
const hourAfter = (at: number): Instant => instant((Math.floor(at / HOUR_MS) + 1) * HOUR_MS)
