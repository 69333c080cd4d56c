import type { WorkloadId } from '../../cluster/workload.ts'
import { compareText } from '../../units.ts'
import { classRow } from '../words/action-class.ts'
import { KEPT_REASONS, type Kept, type KeptReason } from './kept.ts'
import { changedBy } from './proposal.ts'
import type { RecommendContext } from './recommend-context.ts'
import type { Recommendation } from './recommendation.ts'

/** One of the largest idle holders, and why nothing is proposed for it. */
export type UnansweredHolder = {
  readonly workload: WorkloadId
  /** Held and idle in the window, GPU-hours; what they cost is undefined where nothing has a price. */
  readonly idleHours: number
  readonly idleCost: number | undefined
  readonly reason: KeptReason
  readonly because: string
}

/** So many of the largest are answered for, by a recommendation or by a reason. */
const MOST_NAMED = 10

/**
 * Of the workloads that wasted most by idling and still hold what they wasted, those that no recommendation helps: most
 * cost first, GPUs without a price counted at the mean of the others.
 */
export function unansweredHolders(
  all: readonly Kept[],
  shown: readonly Recommendation[],
  context: RecommendContext,
): readonly UnansweredHolder[] {
  const helped = new Set(
    shown
      .filter(({ kind }) => classRow(kind).effect === 'capacity-freed')
      .flatMap((recommendation) => [...changedBy(recommendation, context)]),
  )
  const reasons = Map.groupBy(all, ({ workload }) => workload)
  return largestIdle(context)
    .filter(({ workload }) => !helped.has(`workload/${workload}`))
    .map(({ worth: _worth, ...holder }) => ({ ...holder, ...reasonOf(reasons.get(holder.workload) ?? []) }))
}

function largestIdle({ held, usageOf, meanPrice }: RecommendContext) {
  return [...held.keys()]
    .flatMap((workload) => {
      const { idleHours = 0, idleCost } = usageOf.get(workload) ?? {}
      return idleHours > 0 ? { workload, idleHours, idleCost, worth: idleCost ?? idleHours * (meanPrice ?? 1) } : []
    })
    .toSorted((a, b) => b.worth - a.worth || compareText(a.workload, b.workload))
    .slice(0, MOST_NAMED)
}

/** The weightiest reason, in the words of every rule that gave it. */
function reasonOf(all: readonly Kept[]): Pick<UnansweredHolder, 'reason' | 'because'> {
  const reason = KEPT_REASONS.find((each) => all.some((one) => one.reason === each))
  if (reason === undefined) return { reason: 'not-measured', because: 'Its past was not read yet.' }
  const sentences = all.flatMap((one) => (one.reason === reason ? one.because : []))
  return { reason, because: [...new Set(sentences)].join(' ') }
}
