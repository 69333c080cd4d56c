import { compareText } from '../../units.ts'
import { changedBy, completed, type Completed, type Proposal } from './proposal.ts'
import { reclaimIdle } from './reclaim-idle.ts'
import { recommendContext, type RecommendContext, type RecommendSources } from './recommend-context.ts'
import type { Recommendation, RecommendationKind } from './recommendation.ts'
import { removeNode } from './remove-node.ts'
import { repartition } from './repartition.ts'
import { reschedule } from './reschedule.ts'
import { rightSize } from './right-size.ts'
import { share } from './share.ts'

/**
 * Changes that would remove waste or start waiting work, best first. Each was tried out under all guardrails; of two that
 * change the same node or workload, or of which one takes what the other counts on, only the better is shown. The same
 * sources give the same answer, in whatever order they come.
 */
export function recommend(sources: RecommendSources): readonly Recommendation[] {
  const context = recommendContext(sources)
  const made = Object.values(RULES)
    .flatMap((rule) => rule(context))
    .flatMap((proposal) => completed(proposal, context) ?? [])
    .toSorted(({ recommendation: a }, { recommendation: b }) => b.rank - a.rank || compareText(a.id, b.id))
  return withoutConflicts(made, context)
}

function withoutConflicts(made: readonly Completed[], context: RecommendContext): readonly Recommendation[] {
  const changed = new Set<string>()
  const needed = new Set<string>()
  return made.flatMap(({ recommendation, needs }) => {
    const changes = [...changedBy(recommendation, context)]
    const isTaken = changes.some((object) => changed.has(object) || needed.has(object))
    if (isTaken || needs.some((object) => changed.has(object) || isOne(object, needed))) return []
    for (const object of changes) changed.add(object)
    for (const object of needs) needed.add(object)
    return [recommendation]
  })
}

/** Two may count on one node, but not on one partition of it. */
const isOne = (object: string, needed: ReadonlySet<string>): boolean =>
  object.startsWith('partition/') && needed.has(object)

const RULES = {
  'reclaim-idle': reclaimIdle,
  'remove-node': removeNode,
  repartition,
  reschedule,
  'right-size': rightSize,
  share,
} satisfies Record<RecommendationKind, (context: RecommendContext) => readonly Proposal[]>
