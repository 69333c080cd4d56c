import { SPAN_SECONDS, type UsageRow } from '../../analyze/usage.ts'
import type { Instant, Ratio } from '../../units.ts'

/** How long a workload has done nothing. */
export type IdleStretch = {
  readonly from: Instant
  readonly hours: number
  /** Hours of it that were measured and idle, of the pod of which least was. */
  readonly idle: number
  /** Share of it with trustworthy telemetry, 0 to 1. */
  readonly coverage: number
  readonly samples: number
  readonly busyPeak: number
}

/** Share of each row that must have been idle; single failed readings pass. */
export const IDLE_SHARE = 0.95
/** A sample that kept over half a GPU busy is work, however short: a health check does not do that. */
const WORK_PEAK = 0.5
/** Seconds that may be missing of a bucket, as when the collector was started again in it. */
const MOST_MISSING = 360
/** Rows that end earlier than this before now say nothing about now. */
const FRESH_MS = 3_600_000

/**
 * The idle stretch that lasts until now, of a workload's rows in any order. Every pod must have been idle in it: a busy one
 * among many idle ones is work. Undefined where the newest bucket was not idle, is old, or lacks one of the `pods`.
 */
export function idleStretch(
  rows: readonly UsageRow[],
  { until, pods, threshold }: IdleQuestion,
): IdleStretch | undefined {
  const buckets = [...Map.groupBy(rows, ({ at }) => at)].toSorted(([a], [b]) => b - a).map(([, bucket]) => bucket)
  const [newest = []] = buckets
  return isOfNow(newest, { until, pods }) ? stretchOf(idleBuckets(buckets, threshold), threshold) : undefined
}

/** Whether a bucket reaches to now and tells of every pod. */
export const isOfNow = (newest: Bucket, { until, pods }: Omit<IdleQuestion, 'threshold'>): boolean =>
  endOf(newest) >= until - FRESH_MS && [...pods].every((id) => newest.some(({ pod }) => pod === id))

/** `threshold`: busy at or under this is idle. */
export type IdleQuestion = { readonly until: Instant; readonly pods: ReadonlySet<string>; readonly threshold: Ratio }

/** The newest buckets that were idle one after the other; a gap is not known to be idle. */
function idleBuckets(buckets: readonly Bucket[], threshold: Ratio): readonly Bucket[] {
  const idle: Bucket[] = []
  for (const bucket of buckets) {
    const newer = idle.at(-1)?.[0]
    if (!bucket.every((row) => isIdle(row, threshold)) || (newer !== undefined && endOf(bucket) !== newer.at)) break
    idle.push(bucket)
    // A bucket that is only partly there may begin the stretch, or be the newest, as it still fills.
    if (idle.length > 1 && !isWhole(bucket)) break
  }
  return idle
}

type Bucket = readonly UsageRow[]

function stretchOf(idle: readonly Bucket[], threshold: Ratio): IdleStretch | undefined {
  const rows = idle.flat()
  const [first] = idle.at(-1) ?? []
  if (first === undefined) return undefined
  return {
    from: first.at,
    hours: sum(idle, presentOf) / 3600,
    idle: sum(idle, (bucket) => presentOf(bucket) * leastOf(bucket, (row) => idlePart(row, threshold))) / 3600,
    coverage:
      sum(rows, ({ measured }) => measured) /
      Math.max(
        1,
        sum(rows, ({ present }) => present),
      ),
    samples: rows.length,
    busyPeak: rows.reduce((most, { busyPeak }) => Math.max(most, busyPeak ?? 0), 0),
  }
}

/** Rows of no length say nothing against it. */
export const isIdle = (row: UsageRow, threshold: Ratio): boolean => idlePart(row, threshold) >= IDLE_SHARE

/**
 * Rows that were measured at work: what was neither quiet nor left unmeasured is more than a health check takes. Quiet that
 * is too short to be called idle, as after a gap, is no work: there the mean must be busy.
 */
export const isWork = (row: UsageRow, threshold: Ratio): boolean =>
  row.measured > 0 &&
  ((row.busyPeak ?? 0) > WORK_PEAK ||
    ((row.idle > 0 || (row.busy ?? 0) > threshold) &&
      (row.measured - quietSeconds(row, threshold)) / row.present > 1 - IDLE_SHARE))

/** Share of a row's time that was idle; none of it where anything of it was work. */
export const idlePart = (row: UsageRow, threshold: Ratio): number =>
  row.present === 0 ? 1 : (row.busyPeak ?? 0) > WORK_PEAK ? 0 : quietSeconds(row, threshold) / row.present

/** Seconds of no work: told idle already, or too short a bucket to be told yet and quiet all the same. */
const quietSeconds = ({ idle, measured, busyPeak }: UsageRow, threshold: Ratio): number =>
  busyPeak !== undefined && busyPeak <= threshold ? Math.max(idle, measured) : idle

/** Pods side by side are there at the same time: the longest counts. */
export const presentOf = (bucket: Bucket): number => bucket.reduce((most, { present }) => Math.max(most, present), 0)

const isWhole = (bucket: Bucket): boolean =>
  bucket.every(({ span }) => SPAN_SECONDS[span] - presentOf(bucket) <= MOST_MISSING)

export const endOf = (bucket: Bucket): number =>
  bucket.reduce((end, { at, span }) => Math.max(end, at + SPAN_SECONDS[span] * 1000), 0)

/** The least share of any row that was there at all: the pod that did most, or is known least, speaks for all. */
export const leastOf = (bucket: Bucket, shareOf: (row: UsageRow) => number): number =>
  bucket.reduce((low, row) => (row.present === 0 ? low : Math.min(low, shareOf(row))), 1)

export const sum = <Each>(all: readonly Each[], valueOf: (each: Each) => number): number =>
  all.reduce((total, each) => total + valueOf(each), 0)
