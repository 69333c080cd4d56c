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

/** What came after a stop: work that used it again, its end, or the end of the record. */
export type AfterStop = { readonly end: End; readonly freed: Freed; readonly unknown: readonly RecordedBucket[] }

/** What the record says of work from the moment on at which it would have been stopped. */
export function followStop(stoppedAt: Instant, told: Told): AfterStop {
  const { passed, end } = followed(stoppedAt, told, ({ did }) => did === 'work')
  const idle = passed.filter(({ did }) => did === 'nothing').flatMap(({ rows }) => rows)
  const gaps = gapHours(stoppedAt, end.at, told.work.buckets)
  const unknown = passed.filter(({ did }) => did === 'unknown')
  const unknownHours = gaps + unknown.reduce((sum, bucket) => sum + outcomeLength(bucket), 0) / HOUR_MS
  return { end, freed: { ...outcomeAmounts(idle, told.priceOf), unknownHours }, unknown }
}

type End = { readonly kind: 'stopped' | 'gone' | 'over'; readonly at: Instant; readonly bucket?: RecordedBucket }

/** The buckets that pass until one is to stop at, the work is gone, or the record ends. */
export function followed(
  from: Instant,
  { work, recorded, to }: Omit<Told, 'priceOf'>,
  isStop: (bucket: RecordedBucket) => boolean,
): { passed: readonly RecordedBucket[]; end: End } {
  const passed: RecordedBucket[] = []
  let seenTo = from
  for (const bucket of work.buckets) {
    if (bucket.at < from) continue
    if (isRecorded(recorded, seenTo, bucket.at)) return { passed, end: { kind: 'gone', at: seenTo } }
    if (isStop(bucket)) return { passed, end: { kind: 'stopped', at: bucket.at, bucket } }
    passed.push(bucket)
    seenTo = bucket.end
  }
  return { passed, end: isRecorded(recorded, seenTo, to) ? { kind: 'gone', at: seenTo } : { kind: 'over', at: to } }
}

/** Whether anything was recorded of a stretch: only then does nothing of some work mean that it was not there. */
export const isRecorded = (recorded: readonly Instant[], from: Instant, to: Instant): boolean =>
  (recorded[firstNot(recorded, (at) => at < from)] ?? Infinity) < to

export const outcomeLength = ({ at, end }: RecordedBucket): number => end - at

/** Hours of which nothing was recorded. */
export function gapHours(from: Instant, to: Instant, buckets: readonly RecordedBucket[]): number {
  const seen = buckets.reduce((sum, { at, end }) => sum + (at >= from && end <= to ? end - at : 0), 0)
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
  const stops: (Window & AfterStop)[] = []
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
