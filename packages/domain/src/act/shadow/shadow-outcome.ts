import type { UsageRow } from '../../analyze/usage.ts'
import type { PriceOf } from '../../cost/prices-of.ts'
import { gpuHours, type Instant, instant, SECONDS_PER_HOUR, usd } from '../../units.ts'
import type { RecordedBucket, RecordedWork } from './recorded-work.ts'
import type { Freed, ShadowOutcome } from './shadow.ts'

/** Work that is back within this long, milliseconds, should not have been stopped. */
const AT_ONCE_MS = 3_600_000

type Told = {
  readonly work: Pick<RecordedWork, 'buckets'>
  /** Beginnings of buckets in which anything was recorded, in order. */
  readonly recorded: readonly Instant[]
  /** Where the record ends. */
  readonly to: Instant
  readonly priceOf: PriceOf
}

/** What came after work was stopped, and what it would have held idle until then. */
export type After = {
  readonly outcome: ShadowOutcome
  readonly freed: Freed
  /** When it would have been started again, or had ended; undefined: not within the record. */
  readonly backAt: Instant | undefined
}

/** What the record says of work from the moment on at which it would have been stopped. */
export function afterStop(stoppedAt: Instant, told: Told): After {
  const { passed, end } = followed(stoppedAt, told)
  const idle = passed.filter(({ did }) => did === 'nothing').flatMap(({ rows }) => rows)
  const gaps = gapHours(stoppedAt, end.at, told.work.buckets)
  const unknown = passed.filter(({ did }) => did === 'unknown')
  const unknownHours = gaps + unknown.reduce((sum, bucket) => sum + lengthOf(bucket), 0) / 3_600_000
  return {
    outcome: outcomeOf(stoppedAt, end, { ...told, unknown }),
    freed: { ...amountsOf(idle, told.priceOf), unknownHours },
    backAt: end.kind === 'over' ? undefined : end.at,
  }
}

type End = { readonly kind: 'worked' | 'gone' | 'over'; readonly at: Instant }

/** The buckets that pass until it works, is gone, or the record ends. */
function followed(from: Instant, { work, recorded, to }: Told): { passed: readonly RecordedBucket[]; end: End } {
  const passed: RecordedBucket[] = []
  let seenTo = from
  for (const bucket of work.buckets) {
    if (bucket.at < from) continue
    if (isRecorded(recorded, seenTo, bucket.at)) return { passed, end: { kind: 'gone', at: seenTo } }
    if (bucket.did === 'work') return { passed, end: { kind: 'worked', at: bucket.at } }
    passed.push(bucket)
    seenTo = bucket.end
  }
  return { passed, end: isRecorded(recorded, seenTo, to) ? { kind: 'gone', at: seenTo } : { kind: 'over', at: to } }
}

/** Whether anything was recorded of a stretch: only then does nothing of some work mean that it was not there. */
function isRecorded(recorded: readonly Instant[], from: Instant, to: Instant): boolean {
  let [low, high] = [0, recorded.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((recorded[middle] ?? Infinity) < from) low = middle + 1
    else high = middle
  }
  return (recorded[low] ?? Infinity) < to
}

const lengthOf = ({ at, end }: RecordedBucket): number => end - at

/** Hours of which nothing was recorded. */
function gapHours(from: Instant, to: Instant, buckets: readonly RecordedBucket[]): number {
  const seen = buckets.reduce((sum, { at, end }) => sum + (at >= from && end <= to ? end - at : 0), 0)
  return Math.max(0, to - from - seen) / 3_600_000
}

type Judged = Pick<Told, 'to'> & { readonly unknown: readonly RecordedBucket[]; readonly work: Told['work'] }

function outcomeOf(stoppedAt: Instant, end: End, { to, unknown, work }: Judged): ShadowOutcome {
  const { at } = end
  if (end.kind === 'worked' && at - stoppedAt < AT_ONCE_MS) return { kind: 'came-back-at-once', at }
  const hourEnds = stoppedAt + AT_ONCE_MS
  const isDark =
    unknown.some((bucket) => bucket.at < hourEnds) ||
    (end.kind !== 'gone' && gapHours(stoppedAt, instant(Math.min(hourEnds, at)), work.buckets) > 0)
  // Work that is gone within the hour cannot come back to anything in it.
  if (isDark || (end.kind === 'over' && to < hourEnds)) return { kind: 'not-known', at }
  if (end.kind === 'worked') return { kind: 'came-back-later', at }
  return { kind: end.kind === 'gone' ? 'ended' : 'still-idle', at }
}

function amountsOf(rows: readonly UsageRow[], priceOf: PriceOf): Omit<Freed, 'unknownHours'> {
  let [hours, money, unpriced, isPriced] = [0, 0, 0, false]
  for (const { share, present, pool, model, node, at } of rows) {
    const held = (share * present) / SECONDS_PER_HOUR
    const price = priceOf({ pool, model, node, at })
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
