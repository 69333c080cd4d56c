import { recommendReclaim } from '../../plan/recommend/recommend.ts'
import type { IdleUsage } from '../../plan/recommend/recommend-context.ts'
import type { Recommendation } from '../../plan/recommend/recommendation.ts'
import type { OverrunModel } from '../../plan/right-size/overrun-model.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { UsageRow } from '../../analyze/usage.ts'
import { gpuHours, instant, type Instant, seconds, usd, type Window } from '../../units.ts'
import { outside, type RecordedBucket, type RecordedWork } from './recorded-work.ts'
import { recordedSnapshot } from './recorded-snapshot.ts'
import type { ShadowQuestion } from './shadow.ts'

/** What the rule would have recommended for one workload at one moment, and the cluster as far as it looked at it. */
export type Advised = {
  readonly work: RecordedWork
  readonly advice: Recommendation
  readonly snapshot: ClusterSnapshot
  /** What was recorded of it last. */
  readonly newest: readonly UsageRow[]
}

type Asked = ShadowQuestion & {
  /** When the record begins. */
  readonly began: Instant
  /** Nothing: the rule about idle work asks for no chance of an overrun. */
  readonly overrun: OverrunModel
}

type Seen = {
  readonly work: RecordedWork
  /** When it would have been stopped: nothing of these is seen. */
  readonly stopped: readonly Window[]
  /** What was recommended an hour before. */
  readonly before: Recommendation | undefined
}

const WEEK_MS = 7 * 86_400_000

/** What the rule about idle work says of one workload, from what had been recorded by then. */
export function adviseAt(now: Instant, { work, stopped, before }: Seen, asked: Asked): Advised | undefined {
  const buckets = outside(work.seenAt(now), stopped)
  const newest = buckets.at(-1)
  const [first] = buckets
  if (newest === undefined || first === undefined) return undefined
  const rows = buckets.flatMap((bucket) => bucket.rows)
  const snapshot = recordedSnapshot({ rows: newest.rows, now, since: first.at }, asked)
  const from = instant(Math.max(now - WEEK_MS, asked.began))
  const { prices, rules } = asked
  const [advice] = recommendReclaim({
    snapshot,
    window: { from, to: now },
    rows,
    prices,
    analysis: {
      cost: { byNode: [] },
      observedSeconds: seconds((now - from) / 1000),
      workloads: [idleUsage(work.id, buckets)],
    },
    overrun: asked.overrun,
    previous: before === undefined ? [] : [before],
    policy: rules,
  })
  return advice === undefined ? undefined : { work, advice, snapshot, newest: newest.rows }
}

/** What it held and did not use, as an analysis of these buckets says it. */
function idleUsage(id: string, buckets: readonly RecordedBucket[]): IdleUsage {
  const costs = buckets.flatMap(({ idle }) => idle.cost ?? [])
  return {
    id,
    idleHours: gpuHours(buckets.reduce((sum, { idle }) => sum + idle.hours, 0)),
    idleCost: costs.length === 0 ? undefined : usd(costs.reduce((sum, cost) => sum + cost, 0)),
  }
}
