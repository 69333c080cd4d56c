import type { Workload, WorkloadId } from '../../cluster/workload.ts'
import { compareText } from '../../units.ts'
import type { RecommendContext } from './recommend-context.ts'
import type { RecommendationKind } from '../words/action-class.ts'

/** Why nothing is proposed for a workload that idles, what weighs most first. */
export const KEPT_REASONS = [
  'guardrail',
  'other-change',
  'faulty-gpu',
  'kept-whole',
  'no-room',
  'needs-size',
  'works-in-between',
  'not-measured',
] as const
export type KeptReason = (typeof KEPT_REASONS)[number]

/** A rule's no to one workload, in a sentence that a person can check. */
export type Kept = {
  readonly kind: 'kept'
  readonly workload: WorkloadId
  readonly reason: KeptReason
  readonly because: string
}

export const kept = (workload: WorkloadId, reason: KeptReason, because: string): Kept => ({
  kind: 'kept',
  workload,
  reason,
  because,
})

/** Two ways to give work less: which of them has room changes with every job that ends, so the one that was shown stays. */
export const otherWay = (id: WorkloadId, other: RecommendationKind, { before }: RecommendContext): Kept | undefined =>
  before(other, `workload/${id}`) && kept(id, 'other-change', 'What was recommended before comes first.')

/**
 * What a rule says of each workload that holds something, by id, where it has something to say. Of work on a GPU that is not sound it is not asked: that may
 * hang rather than idle, and what is measured there says little.
 */
export const judgeHolders = <Said>(
  context: RecommendContext,
  judge: (workload: Workload, context: RecommendContext) => Said | undefined,
): ReadonlyArray<Said | Kept> =>
  [...context.held]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([id, parts]): Array<Said | Kept> => {
      const workload = context.workloads.get(id)
      if (workload === undefined) return []
      const [fault] = parts.flatMap(({ gpu }) => context.faulty.get(gpu) ?? [])
      if (fault !== undefined) return [kept(id, 'faulty-gpu', fault)]
      const said = judge(workload, context)
      return said === undefined ? [] : [said]
    })
