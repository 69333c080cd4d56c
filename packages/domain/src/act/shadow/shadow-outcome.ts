import type { UsageRow } from '../../analyze/usage.ts'
import type { PriceOf } from '../../cost/prices-of.ts'
import { gpuHours, type Instant, instant, SECONDS_PER_HOUR, usd, HOUR_MS } from '../../units.ts'
import type { RecordedBucket, RecordedWork } from './recorded-work.ts'
import type { Freed, ShadowOutcome } from './shadow.ts'
import type { After } from './shadow-rule.ts'

/** Work that is back within this long, milliseconds, should not have been stopped. */
const AT_ONCE_MS = HOUR_MS

export type Told = {
  readonly work: Pick<RecordedWork, 'buckets'>
  /** Beginnings of buckets in which anything was recorded, in order. */
  readonly recorded: readonly Instant[]
  /** Where the record ends. */
  readonly to: Instant
  readonly priceOf: PriceOf
}

/** What the record says of work from the moment on at which it would have been stopped. */
export function afterStop(stoppedAt: Instant, told: Told): After {
  const { passed, end } = followed(stoppedAt, told, ({ did }) => did === 'work')
  const idle = passed.filter(({ did }) => did === 'nothing').flatMap(({ rows }) => rows)
  const gaps = gapHours(stoppedAt, end.at, told.work.buckets)
  const unknown = passed.filter(({ did }) => did === 'unknown')
  const unknownHours = gaps + unknown.reduce((sum, bucket) => sum + outcomeLength(bucket), 0) / HOUR_MS
  return {
    outcome: outcomeOf(stoppedAt, end, { ...told, unknown }),
    freed: { ...outcomeAmounts(idle, told.priceOf), unknownHours },
    backAt: end.kind === 'over' ? undefined : end.at,
  }
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
export function isRecorded(recorded: readonly Instant[], from: Instant, to: Instant): boolean {
  let [low, high] = [0, recorded.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((recorded[middle] ?? Infinity) < from) low = middle + 1
    else high = middle
  }
  return (recorded[low] ?? Infinity) < to
}

export const outcomeLength = ({ at, end }: RecordedBucket): number => end - at

/** Hours of which nothing was recorded. */
export function gapHours(from: Instant, to: Instant, buckets: readonly RecordedBucket[]): number {
  const seen = buckets.reduce((sum, { at, end }) => sum + (at >= from && end <= to ? end - at : 0), 0)
  return Math.max(0, to - from - seen) / HOUR_MS
}

type Judged = Pick<Told, 'to'> & { readonly unknown: readonly RecordedBucket[]; readonly work: Told['work'] }

function outcomeOf(stoppedAt: Instant, end: End, { to, unknown, work }: Judged): ShadowOutcome {
  const { at } = end
  if (end.kind === 'stopped' && at - stoppedAt < AT_ONCE_MS) return { kind: 'came-back-at-once', at }
  const hourEnds = stoppedAt + AT_ONCE_MS
  const isDark =
    unknown.some((bucket) => bucket.at < hourEnds) ||
    (end.kind !== 'gone' && gapHours(stoppedAt, instant(Math.min(hourEnds, at)), work.buckets) > 0)
  // Work that is gone within the hour cannot come back to anything in it.
  if (isDark || (end.kind === 'over' && to < hourEnds)) return { kind: 'not-known', at }
  if (end.kind === 'stopped') return { kind: 'came-back-later', at }
  return { kind: end.kind === 'gone' ? 'ended' : 'still-idle', at }
}

/** GPU-hours of what rows held and their cost; `partOf`: how much of each, 0 to 1. */
export function outcomeAmounts(
  rows: readonly UsageRow[],
  priceOf: PriceOf,
  partOf: (row: UsageRow) => number = () => 1,
): Omit<Freed, 'unknownHours'> {
  let [hours, money, unpriced, isPriced] = [0, 0, 0, false]
  for (const row of rows) {
    const held = (partOf(row) * row.share * row.present) / SECONDS_PER_HOUR
    const price = priceOf(row)
    hours += held
    if (price.kind === 'known') {
      money += held * price.price
      isPriced = true
    } else unpriced += held
  }
  return {
    gpuHours: gpuHours(hours),
    usd: isPriced || hours === 0 ? usd(money) : undefined,
    unpriced: gpuHours(unpriced),
  }
}
