import { SPAN_SECONDS, type UsageRow } from '../../analyze/usage.ts'
import { type Instant, instant, type Mib, mib, type Ratio, ratio, type Seconds, seconds } from '../../units.ts'

/** What one workload used in one stretch of time. Undefined is not measured or not trustworthy, never 0. */
export type UsageBucket = {
  readonly at: Instant
  readonly length: Seconds
  /** Seconds of it with trustworthy telemetry. */
  readonly measured: Seconds
  /** Mean busy of its busiest pod × the share of a GPU that the pod held: sustained compute, in GPUs. */
  readonly compute: number | undefined
  /** The same from the highest single sample, in GPUs. */
  readonly computePeak: number | undefined
  /** Highest of its pods. */
  readonly memoryPeak: Mib | undefined
}

/** What one workload used, oldest first, and when one of its pods was replaced by another. */
export type UsageHistory = {
  readonly id: string
  readonly buckets: readonly UsageBucket[]
  readonly restarts: readonly Instant[]
  /** Set when its memory cannot be told from that of others, with the reason. */
  readonly untrusted: string | undefined
}

/**
 * The history of one workload from its stored usage rows, in any order. Pods side by side count by their highest, as one
 * size is chosen for all. Rows that are not held are left out; seconds without trustworthy telemetry stay unknown.
 */
export function historyOfRows(id: string, rows: readonly UsageRow[]): UsageHistory {
  const held = rows.filter(({ kind }) => kind === 'held').toSorted((a, b) => a.at - b.at)
  const byTime = Map.groupBy(held, ({ at }) => at)
  const shared = held.some(({ share, profile }) => share < 1 && profile === '')
  return {
    id,
    buckets: [...byTime].map(([at, list]) => bucketOf(at, list)),
    restarts: restartsOf(byTime),
    untrusted: shared ? 'it shares its device with others' : undefined,
  }
}

function bucketOf(at: Instant, rows: readonly UsageRow[]): UsageBucket {
  const trusted = rows.filter(({ measured }) => measured > 0)
  const length = Math.max(...rows.map(({ span }) => SPAN_SECONDS[span]))
  return {
    at,
    length: seconds(length),
    // Replicas measure side by side: the best measured one says how much of the bucket is known.
    measured: seconds(Math.min(length, Math.max(0, ...secondsByPod(trusted).values()))),
    compute: highest(trusted.map(({ busy, share }) => scaled(busy, share))),
    computePeak: highest(trusted.map(({ busyPeak, share }) => scaled(busyPeak, share))),
    memoryPeak: asMib(highest(trusted.map(({ memoryPeak }) => memoryPeak))),
  }
}

function secondsByPod(rows: readonly UsageRow[]): ReadonlyMap<string, number> {
  const byPod = new Map<string, number>()
  for (const { pod, measured } of rows) byPod.set(pod, (byPod.get(pod) ?? 0) + measured)
  return byPod
}

/** When a pod appears that was not there before, while one that was there has gone. */
function restartsOf(byTime: ReadonlyMap<Instant, readonly UsageRow[]>): Instant[] {
  const seen = new Set<string>()
  const restarts: Instant[] = []
  let before = new Set<string>()
  for (const [at, rows] of byTime) {
    const now = new Set(rows.map(({ pod }) => pod))
    const appeared = [...now].some((pod) => !seen.has(pod))
    const left = [...before].some((pod) => !now.has(pod))
    if (appeared && left) restarts.push(instant(at))
    for (const pod of now) seen.add(pod)
    before = now
  }
  return restarts
}

const scaled = (busy: Ratio | undefined, share: Ratio): number | undefined =>
  busy === undefined || !Number.isFinite(busy) ? undefined : ratio(Math.min(1, Math.max(0, busy))) * share

const highest = (values: ReadonlyArray<number | undefined>): number | undefined => {
  const known = values.filter((value) => value !== undefined && Number.isFinite(value) && value >= 0)
  return known.reduce<number | undefined>((a, b) => (b === undefined || (a ?? -1) > b ? a : b), undefined)
}

const asMib = (value: number | undefined): Mib | undefined => (value === undefined ? undefined : mib(value))
