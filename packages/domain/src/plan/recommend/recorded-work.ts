import { SPAN_SECONDS, type UsageRow } from '../../analyze/usage.ts'
import type { WorkloadId } from '../../cluster/workload.ts'
import type { PriceOf } from '../../cost/prices-of.ts'
import { once } from '../../once-for.ts'
import {
  WEEK_MS,
  compareText,
  gpuHours,
  type GpuHours,
  type Instant,
  instant,
  type Ratio,
  SECONDS_PER_HOUR,
  type Usd,
  usd,
  type Window,
} from '../../units.ts'
import { oneRowEach } from './one-row-each.ts'

export type Amounts = {
  readonly gpuHours: GpuHours
  /** At the prices of each hour; undefined where none of it has one. */
  readonly usd: Usd | undefined
  /** GPU-hours without a price: they are in `gpuHours` and not in `usd`. */
  readonly unpriced: GpuHours
}

/** What a change had freed, until it proved wrong, the work was used again or ended, or the record ends. */
export type Freed = Amounts & {
  /** Hours in which it is not known whether the change held: they are in nothing. */
  readonly unknownHours: number
}

/** What a workload did in one bucket, all its pods together. */
export type RecordedBucket = {
  readonly at: Instant
  readonly end: Instant
  readonly rows: readonly UsageRow[]
  /** Seconds that any of its pods was there. */
  readonly present: number
  /** Share of that in which none of its pods did anything, and in which all were measured. */
  readonly quiet: number
  readonly measured: number
  /** `unknown`: neither can be told, as too little of it was measured. */
  readonly did: 'nothing' | 'work' | 'unknown'
  /** What it held and did not use. */
  readonly idle: () => Amounts
}

/** The recorded past of one workload, as one could have seen it at any moment. */
export type RecordedWork = {
  readonly id: WorkloadId
  /** Oldest first. */
  readonly buckets: readonly RecordedBucket[]
  /** Buckets that had ended by a moment and began at most a week before. */
  seenAt(now: Instant): readonly RecordedBucket[]
}

type Judge = { readonly threshold: Ratio; readonly priceOf: PriceOf }

/** The past of each workload of the rows, by id; the same in whatever order the rows come. */
export function recordedWork(rows: readonly UsageRow[], judge: Judge): readonly RecordedWork[] {
  const byWorkload = Map.groupBy(rows, ({ workload }) => workload)
  return [...byWorkload]
    .filter(([id]) => id !== '')
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([id, own]) => workOf(id, oneRowEach(inOrder(own)), judge))
}

/** A row as text: rows of one store have their fields in one order, so equal rows have equal text. */
export const rowText = (row: UsageRow): string => JSON.stringify(row)

/** The past of one workload, from one row for each holder of a partition in each bucket. */
export function workOf(id: WorkloadId, rows: readonly UsageRow[], judge: Judge): RecordedWork {
  const buckets = bucketsOf(rows, judge)
  /** How many buckets had ended by a moment, and how many had begun before one. */
  const ended = (by: number): number => firstNot(buckets, ({ end }) => end <= by)
  const begun = (before: number): number => firstNot(buckets, ({ at }) => at < before)
  return { id, buckets, seenAt: (now) => buckets.slice(begun(now - WEEK_MS), ended(now)) }
}

/** Where the first item is that does not pass, in a list where those that pass come first. */
export function firstNot<Item>(items: readonly Item[], passes: (item: Item) => boolean): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && passes(item)) low = middle + 1
    else high = middle
  }
  return low
}

const bucketsOf = (rows: readonly UsageRow[], { threshold, priceOf }: Judge): readonly RecordedBucket[] =>
  [...Map.groupBy(rows, ({ at }) => at)]
    .toSorted(([a], [b]) => a - b)
    .map(([at, own]) => ({
      at,
      end: instant(own.reduce((end, row) => Math.max(end, row.at + SPAN_SECONDS[row.span] * 1000), 0)),
      rows: own,
      // Pods side by side are there at the same time: the longest counts.
      present: own.reduce((most, { present }) => Math.max(most, present), 0),
      quiet: leastOf(own, (row) => idlePart(row, threshold)),
      measured: leastOf(own, (row) => row.measured / row.present),
      did: whatWasDone(own, threshold),
      idle: once(() => outcomeAmounts(own, priceOf, ({ idle, present }) => (present === 0 ? 0 : idle / present))),
    }))

/** The least share of any row that was there at all: the pod that did most, or is known least, speaks for all. */
const leastOf = (rows: readonly UsageRow[], partOf: (row: UsageRow) => number): number =>
  rows.reduce((low, row) => (row.present === 0 ? low : Math.min(low, partOf(row))), 1)

/** GPU-hours of what rows held and their cost; `partOf`: how much of each, 0 to 1. */
export function outcomeAmounts(
  rows: readonly UsageRow[],
  priceOf: PriceOf,
  partOf: (row: UsageRow) => number = () => 1,
): Amounts {
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

export function addedUp(all: readonly Amounts[]): Amounts {
  const total = (of: (amounts: Amounts) => number): number => all.reduce((sum, each) => sum + of(each), 0)
  const isUnpriced = all.every(({ gpuHours: hours, unpriced }) => unpriced >= hours)
  const hours = total((each) => each.gpuHours)
  return {
    gpuHours: gpuHours(hours),
    usd: isUnpriced && hours > 0 ? undefined : usd(total((each) => each.usd ?? 0)),
    unpriced: gpuHours(total((each) => each.unpriced)),
  }
}

/** Rows of no length say nothing against it. */
function whatWasDone(rows: readonly UsageRow[], threshold: Ratio): RecordedBucket['did'] {
  if (rows.some((row) => isWork(row, threshold))) return 'work'
  return rows.every((row) => idlePart(row, threshold) >= IDLE_SHARE) ? 'nothing' : 'unknown'
}

/** Share of each row that must have been idle; single failed readings pass. */
export const IDLE_SHARE = 0.95
/** A sample that kept over half a GPU busy is work, however short: a health check does not do that. */
const WORK_PEAK = 0.5

/**
 * Rows that were measured at work: what was neither quiet nor left unmeasured is more than a health check takes. Quiet that
 * is too short to be called idle, as after a gap, is no work: there the mean must be busy.
 */
const isWork = (row: UsageRow, threshold: Ratio): boolean =>
  row.measured > 0 &&
  ((row.busyPeak ?? 0) > WORK_PEAK ||
    ((row.idle > 0 || (row.busy ?? 0) > threshold) &&
      (row.measured - quietSeconds(row, threshold)) / row.present > 1 - IDLE_SHARE))

/** Share of a row's time that was idle; none of it where anything of it was work. */
const idlePart = (row: UsageRow, threshold: Ratio): number =>
  row.present === 0 ? 1 : (row.busyPeak ?? 0) > WORK_PEAK ? 0 : quietSeconds(row, threshold) / row.present

/** Seconds of no work: told idle already, or too short a bucket to be told yet and quiet all the same. */
const quietSeconds = ({ idle, measured, busyPeak }: UsageRow, threshold: Ratio): number =>
  busyPeak !== undefined && busyPeak <= threshold ? Math.max(idle, measured) : idle

/** Whether nearly all of a row's time was measured. */
export const isMeasured = ({ measured, present, busy }: UsageRow): boolean =>
  busy !== undefined && measured >= IDLE_SHARE * present

/** What lies in none of the stretches. */
export const outside = (buckets: readonly RecordedBucket[], stretches: readonly Window[]): readonly RecordedBucket[] =>
  stretches.length === 0
    ? buckets
    : buckets.filter(({ at }) => stretches.every(({ from, to }) => at < from || at >= to))

/** Rows in an order of their own: sums of what a store has cut up must not depend on the order in which it comes. */
export const inOrder = (rows: readonly UsageRow[]): readonly UsageRow[] =>
  rows
    .map((row) => ({ row, text: rowText(row) }))
    .toSorted((a, b) => compareText(a.text, b.text))
    .map(({ row }) => row)

/** Idle for this long in a row, hours, before releasing it is proposed: a night is not enough, a day and a night are. */
export const LEAST_IDLE_HOURS = 24
/** Share of its time, of all its pods at once, that must have been idle where no stretch is as long as that. */
const LEAST_IDLE_SHARE = 0.8
/** Share of the time since it was first seen that must have been measured; it may have been stopped at night. */
const LEAST_COVERAGE = 0.7
/** Seconds that may be missing of a bucket, as when the collector was started again in it. */
const MOST_MISSING = 360
/** Rows that end earlier than this before now say nothing about now. */
const FRESH_MS = 3_600_000

/** Whether a workload's past says that it may be stopped: `stretch` are the buckets up to now in which it did nothing. */
export type IdleVerdict =
  | { readonly kind: 'in-a-row'; readonly stretch: readonly RecordedBucket[] }
  | { readonly kind: 'in-between' | 'too-little-idle' | 'too-little-known'; readonly share: IdleShare }
  /** The newest bucket is old, or lacks one of its pods. */
  | { readonly kind: 'not-of-now' }

/** How much of its time a workload has done nothing. */
export type IdleShare = {
  readonly from: Instant
  /** How long it was there, hours. */
  readonly hours: number
  /** Share of that in which none of its pods did anything, 0 to 1. */
  readonly idle: number
  /** Share of the time since `from` with trustworthy telemetry of all its pods, 0 to 1. */
  readonly coverage: number
  /** Hours since `from` of which nothing of that is known: it may have worked, idled, or been stopped. */
  readonly unmeasured: number
}

type Question = {
  readonly until: Instant
  readonly pods: ReadonlySet<string>
  /** What the limits are multiplied by. */
  readonly slack: number
}

/** The verdict on buckets, oldest first. Every pod must have been idle: a busy one among many idle ones is work. */
export function idleVerdict(buckets: readonly RecordedBucket[], { until, pods, slack }: Question): IdleVerdict {
  const [first, newest] = [buckets[0], buckets.at(-1)]
  const isOfNow =
    newest !== undefined &&
    newest.end >= until - FRESH_MS &&
    [...pods].every((id) => newest.rows.some(({ pod }) => pod === id))
  if (first === undefined || !isOfNow) return { kind: 'not-of-now' }
  const stretch = stretchOf(buckets)
  if (hoursIn(stretch) >= LEAST_IDLE_HOURS) return { kind: 'in-a-row', stretch }
  const share = shareOf(buckets, first, until)
  const isKnown = share.hours >= LEAST_IDLE_HOURS * slack && share.coverage >= LEAST_COVERAGE * slack
  if (!isKnown) return { kind: 'too-little-known', share }
  return { kind: share.idle < LEAST_IDLE_SHARE * slack ? 'too-little-idle' : 'in-between', share }
}

/** The newest buckets that were idle one after the other, oldest first; a gap is not known to be idle. */
function stretchOf(buckets: readonly RecordedBucket[]): readonly RecordedBucket[] {
  let begin = buckets.length
  for (let index = buckets.length - 1; index >= 0; index -= 1) {
    const [bucket, newer] = [buckets[index], buckets[index + 1]]
    if (bucket?.did !== 'nothing' || (newer !== undefined && bucket.end !== newer.at)) break
    begin = index
    // A bucket that is only partly there may begin the stretch, or be the newest, as it still fills.
    const isWhole = bucket.rows.every(({ span }) => SPAN_SECONDS[span] - bucket.present <= MOST_MISSING)
    if (newer !== undefined && !isWhole) break
  }
  return buckets.slice(begin)
}

export const sum = <Each>(all: readonly Each[], valueOf: (each: Each) => number): number =>
  all.reduce((total, each) => total + valueOf(each), 0)

export const hoursIn = (buckets: readonly RecordedBucket[]): number => sum(buckets, ({ present }) => present) / 3600
/** Hours of them that were measured and idle, of the pod of which least was. */
export const quietHoursIn = (buckets: readonly RecordedBucket[]): number =>
  sum(buckets, ({ present, quiet }) => present * quiet) / 3600

function shareOf(buckets: readonly RecordedBucket[], first: RecordedBucket, until: Instant): IdleShare {
  const hours = hoursIn(buckets)
  const measured = sum(buckets, (bucket) => bucket.present * bucket.measured)
  // The first bucket counts from when it was there in it; what is missing since is a gap.
  const since = (until - first.at) / 1000 - SPAN_SECONDS[first.rows[0]?.span ?? '1h'] + first.present
  return {
    from: first.at,
    hours,
    idle: hours === 0 ? 0 : quietHoursIn(buckets) / hours,
    coverage: Math.min(1, measured / Math.max(1, since)),
    unmeasured: Math.max(0, since - measured) / 3600,
  }
}
