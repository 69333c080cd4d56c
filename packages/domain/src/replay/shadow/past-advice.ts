import type { NodeCost, RecommendSources } from '../../plan/recommend/recommend-context.ts'
import { recommendAlone } from '../../plan/recommend/recommend.ts'
import { addedUp, type RecordedBucket } from '../../plan/recommend/recorded-work.ts'
import { learnFleetOverrun } from '../../plan/right-size/learn-overrun.ts'
import type { UsageRow } from '../../analyze/usage.ts'
import { recordedSamples } from './recorded-snapshot.ts'
import { WEEK_MS, type Instant, instant, seconds, type Window } from '../../units.ts'
import type { ShadowClass } from './shadow.ts'
import type { Advised, ShadowSources } from './shadow-rule.ts'

type Given = Pick<Advised, 'snapshot'> &
  Pick<RecommendSources, 'overrun' | 'previous'> & {
    /** What was recorded of it last. */
    readonly newest: readonly UsageRow[]
    /** What had been recorded of the work that is decided on. */
    readonly seen: ReadonlyArray<{ readonly id: string; readonly buckets: readonly RecordedBucket[] }>
    readonly byNode?: readonly NodeCost[]
  }

/** What a rule would have recommended at a moment, from what had been recorded by then. */
export function pastAdvice(
  kind: ShadowClass,
  { question, began }: Pick<ShadowSources, 'question' | 'began'>,
  { seen, byNode = [], newest, overrun = NOTHING_LEARNED, ...given }: Given,
): readonly Advised[] {
  const { snapshot } = given
  const now = snapshot.takenAt
  const window = weekBefore(now, began)
  const workloads = seen.map(({ id, buckets }) => {
    const { gpuHours: idleHours, usd: idleCost } = addedUp(buckets.map(({ idle }) => idle()))
    return { id, idleHours, idleCost }
  })
  const made = recommendAlone(kind, {
    ...given,
    overrun,
    window,
    rows: seen.flatMap(({ buckets }) => buckets.flatMap(({ rows }) => rows)),
    prices: question.prices,
    analysis: { cost: { byNode }, observedSeconds: seconds((window.to - window.from) / 1000), workloads },
    policy: { ...question.rules, warning: question.policy.warning },
  })
  const samples = made.length === 0 ? [] : recordedSamples(newest, now)
  return made.map(({ recommendation, needs }) => ({ advice: recommendation, needs, snapshot, samples }))
}

/** Idle work and nodes are judged without a chance of an overrun. */
const NOTHING_LEARNED = learnFleetOverrun([])

/** The last week, or what of it was recorded. */
export const weekBefore = (now: Instant, began: Instant): Window => ({
  from: instant(Math.max(now - WEEK_MS, began)),
  to: now,
})
