import { compareText } from '../../units.ts'
import { completed, touchedBy, type Proposal } from './proposal.ts'
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
 * change the same node or workload only the better is shown. The same sources give the same answer.
 */
export function recommend(sources: RecommendSources): readonly Recommendation[] {
  const context = recommendContext(sources)
  const made = Object.values(RULES)
    .flatMap((rule) => rule(context))
    .flatMap((proposal) => completed(proposal, context) ?? [])
    .toSorted((a, b) => b.rank - a.rank || compareText(a.id, b.id))
  const touched = new Set<string>()
  return made.filter((recommendation) => {
    const objects = touchedBy(recommendation)
    if (objects.some((object) => touched.has(object))) return false
    for (const object of objects) touched.add(object)
    return true
  })
}

const RULES = {
  'reclaim-idle': reclaimIdle,
  'remove-node': removeNode,
  repartition,
  reschedule,
  'right-size': rightSize,
  share,
} satisfies Record<RecommendationKind, (context: RecommendContext) => readonly Proposal[]>
