import { SPAN_SECONDS, type UsageRow } from '../../analyze/usage.ts'
import { type Instant, instant } from '../../units.ts'
import { endOf, type IdleQuestion, idlePart, isIdle, isOfNow, presentOf } from './idle-stretch.ts'

/** How much of its time a workload has done nothing. */
export type IdleShare = {
  readonly from: Instant
  /** How long it was there, hours. */
  readonly hours: number
  /** Share of that in which none of its pods did anything, 0 to 1. */
  readonly idle: number
  /** Share of the time since `from` with trustworthy telemetry of all its pods, 0 to 1. */
  readonly coverage: number
  readonly samples: number
  /** When the last bucket ended in which it worked; undefined: it never did. */
  readonly workedAt: Instant | undefined
}

/** The idle share of a workload's rows, in any order; undefined where the newest are old or lack one of the `pods`. */
export function idleShare(rows: readonly UsageRow[], { until, pods, threshold }: IdleQuestion): IdleShare | undefined {
  const buckets = [...Map.groupBy(rows, ({ at }) => at)].toSorted(([a], [b]) => a - b).map(([, bucket]) => bucket)
  if (!isOfNow(buckets.at(-1) ?? [], { until, pods })) return undefined
  let [present, idle, measured] = [0, 0, 0]
  for (const bucket of buckets) {
    const there = presentOf(bucket)
    present += there
    // The pod that did most, and the one that is known least, speak for all.
    idle += there * least(bucket, (row) => idlePart(row, threshold))
    measured += there * least(bucket, (row) => row.measured / row.present)
  }
  const worked = buckets.findLast((bucket) => !bucket.every((row) => isIdle(row, threshold)))
  const [first] = buckets[0] ?? []
  if (first === undefined || present === 0) return undefined
  // The first bucket counts from when it was there in it; what is missing since is a gap.
  const since = (until - first.at) / 1000 - SPAN_SECONDS[first.span] + presentOf(buckets[0] ?? [])
  return {
    from: first.at,
    hours: present / 3600,
    idle: idle / present,
    coverage: Math.min(1, measured / Math.max(1, since)),
    samples: rows.length,
    workedAt: worked === undefined ? undefined : instant(Math.min(endOf(worked), until)),
  }
}

/** The least share of any row that was there at all. */
const least = (rows: readonly UsageRow[], shareOf: (row: UsageRow) => number): number =>
  rows.reduce((low, row) => (row.present === 0 ? low : Math.min(low, shareOf(row))), 1)
