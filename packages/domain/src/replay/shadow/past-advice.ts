import type { NodeCost, RecommendSources } from '../../plan/recommend/recommend-context.ts'
import { recommendAlone } from '../../plan/recommend/recommend.ts'
import { addedUp, type RecordedBucket } from '../../plan/recommend/recorded-work.ts'
import { learnFleetOverrun } from '../../plan/right-size/learn-overrun.ts'
import type { UsageRow } from '../../analyze/usage.ts'
import type { Pod } from '../../cluster/workload.ts'
import { recordedSamples, recordedSnapshot } from './recorded-snapshot.ts'
import { WEEK_MS, type Instant, instant, seconds, type Window } from '../../units.ts'
import type { Advised, ShadowSources } from './shadow-rule.ts'

type Given = Pick<RecommendSources, 'overrun' | 'previous'> & {
  readonly now: Instant
  /** What was recorded of what is looked at last, and since when it is known. */
  readonly rows: readonly UsageRow[]
  readonly since: Instant
  /** What had been recorded of the work that is decided on. */
  readonly seen?: ReadonlyArray<{ readonly id: string; readonly buckets: readonly RecordedBucket[] }>
  /** Pods that wait for room there. */
  readonly waiting?: readonly Pod[]
  readonly byNode?: readonly NodeCost[]
}

/** What a rule would have recommended at a moment, from what had been recorded by then. */
export function pastAdvice(
  { question, began }: Pick<ShadowSources, 'question' | 'began'>,
  { seen = [], waiting = [], byNode = [], overrun = NOTHING_LEARNED, previous, ...given }: Given,
): readonly Advised[] {
  const { now } = given
  const recorded = recordedSnapshot(given, question)
  const snapshot = waiting.length === 0 ? recorded : { ...recorded, pods: [...recorded.pods, ...waiting] }
  const window = weekBefore(now, began)
  const workloads = seen.map(({ id, buckets }) => {
    const { gpuHours: idleHours, usd: idleCost } = addedUp(buckets.map(({ idle }) => idle()))
    return { id, idleHours, idleCost }
  })
  const made = recommendAlone(question.class, {
    snapshot,
    window,
    overrun,
    previous,
    rows: seen.flatMap(({ buckets }) => buckets.flatMap(({ rows }) => rows)),
    prices: question.prices,
    analysis: { cost: { byNode }, observedSeconds: seconds((window.to - window.from) / 1000), workloads },
    policy: { ...question.rules, warning: question.policy.warning },
  })
  const samples = made.length === 0 ? [] : recordedSamples(given.rows, now)
  return made.map(({ recommendation, needs }) => ({ advice: recommendation, needs, snapshot, samples }))
}

/** Idle work and nodes are judged without a chance of an overrun. */
const NOTHING_LEARNED = learnFleetOverrun([])

/** The last week, or what of it was recorded. */
export const weekBefore = (now: Instant, began: Instant): Window => ({
  from: instant(Math.max(now - WEEK_MS, began)),
  to: now,
})
