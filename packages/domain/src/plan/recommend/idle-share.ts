import { SPAN_SECONDS, type UsageRow } from '../../analyze/usage.ts'
import { type Instant, instant, type Window } from '../../units.ts'
import { endOf, type IdleQuestion, idlePart, isOfNow, isWork, leastOf, presentOf } from './idle-stretch.ts'

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
  readonly samples: number
  /** The last bucket in which a measurement found it at work; undefined: none did. */
  readonly worked: Window | undefined
}

/** The idle share of a workload's rows, in any order; undefined where the newest are old or lack one of the `pods`. */
export function idleShare(rows: readonly UsageRow[], { until, pods, threshold }: IdleQuestion): IdleShare | undefined {
  const buckets = [...Map.groupBy(rows, ({ at }) => at)].toSorted(([a], [b]) => a - b).map(([, bucket]) => bucket)
  if (!isOfNow(buckets.at(-1) ?? [], { until, pods })) return undefined
  let [present, idle, measured] = [0, 0, 0]
  for (const bucket of buckets) {
    const there = presentOf(bucket)
    present += there
    idle += there * leastOf(bucket, (row) => idlePart(row, threshold))
    measured += there * leastOf(bucket, (row) => row.measured / row.present)
  }
  const worked = buckets.findLast((bucket) => bucket.some((row) => isWork(row, threshold)))
  const [first] = buckets[0] ?? []
  if (first === undefined || present === 0) return undefined
  // The first bucket counts from when it was there in it; what is missing since is a gap.
  const since = (until - first.at) / 1000 - SPAN_SECONDS[first.span] + presentOf(buckets[0] ?? [])
  return {
    from: first.at,
    hours: present / 3600,
    idle: idle / present,
    coverage: Math.min(1, measured / Math.max(1, since)),
    unmeasured: Math.max(0, since - measured) / 3600,
    samples: rows.length,
    worked: worked && timeOf(worked, until),
  }
}

const timeOf = (bucket: readonly UsageRow[], until: Instant): Window => ({
  from: bucket[0]?.at ?? until,
  to: instant(Math.min(endOf(bucket), until)),
})
