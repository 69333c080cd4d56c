import type { NodeCost, RecommendSources } from '../../plan/recommend/recommend-context.ts'
import { recommendAlone } from '../../plan/recommend/recommend.ts'
import { addedUp, type RecordedBucket } from '../../plan/recommend/recorded-work.ts'
import { WEEK_MS, type Instant, instant, seconds, type Window } from '../../units.ts'
import type { ShadowClass } from './shadow.ts'
import type { Advised, ShadowSources } from './shadow-rule.ts'

type Given = Pick<Advised, 'snapshot' | 'newest'> &
  Required<Pick<RecommendSources, 'overrun' | 'previous'>> & {
    /** What had been recorded of the work that is decided on. */
    readonly seen: ReadonlyArray<{ readonly id: string; readonly buckets: readonly RecordedBucket[] }>
    readonly byNode?: readonly NodeCost[]
  }

/** What a rule would have recommended at a moment, from what had been recorded by then. */
export function pastAdvice(
  kind: ShadowClass,
  { question, began }: Pick<ShadowSources, 'question' | 'began'>,
  { now, seen, byNode = [], newest, ...given }: Given & { readonly now: Instant },
): readonly Advised[] {
  const window = weekBefore(now, began)
  const workloads = seen.map(({ id, buckets }) => {
    const { gpuHours: idleHours, usd: idleCost } = addedUp(buckets.map(({ idle }) => idle()))
    return { id, idleHours, idleCost }
  })
  return recommendAlone(kind, {
    ...given,
    window,
    rows: seen.flatMap(({ buckets }) => buckets.flatMap(({ rows }) => rows)),
    prices: question.prices,
    analysis: { cost: { byNode }, observedSeconds: seconds((window.to - window.from) / 1000), workloads },
    policy: { ...question.rules, warning: question.policy.warning },
  }).map(({ recommendation, needs }) => ({ advice: recommendation, needs, snapshot: given.snapshot, newest }))
}

/** The last week, or what of it was recorded. */
export const weekBefore = (now: Instant, began: Instant): Window => ({
  from: instant(Math.max(now - WEEK_MS, began)),
  to: now,
})
