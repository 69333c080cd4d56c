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
  const ofNodes = completedBy(NODE_RULES, context)
  const avoid = new Set(
    withoutConflicts(ofNodes, context).flatMap((recommendation) => [...changedBy(recommendation, context)]),
  )
  // What counts on free room, or makes some, looks for it where nodes are not changed already.
  const ofWorkloads = completedBy(WORKLOAD_RULES, { ...context, avoid })
  return withoutConflicts([...ofNodes, ...ofWorkloads], context)
}

type Rule = (context: RecommendContext) => readonly Proposal[]

const completedBy = (rules: Readonly<Record<string, Rule>>, context: RecommendContext): readonly Completed[] =>
  Object.values(rules)
    .flatMap((rule) => rule(context))
    .flatMap((proposal) => completed(proposal, context) ?? [])

/** Best first; of two that touch the same thing only the better. */
function withoutConflicts(made: readonly Completed[], context: RecommendContext): readonly Recommendation[] {
  const changed = new Set<string>()
  const needed = new Set<string>()
  const byRank = made.toSorted(
    ({ recommendation: a }, { recommendation: b }) => b.rank - a.rank || compareText(a.id, b.id),
  )
  return byRank.flatMap(({ recommendation, needs }) => {
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

const NODE_RULES = { 'remove-node': removeNode, repartition, share } satisfies Partial<Record<RecommendationKind, Rule>>
const WORKLOAD_RULES = {
  'reclaim-idle': reclaimIdle,
  reschedule,
  'right-size': rightSize,
} satisfies Record<Exclude<RecommendationKind, keyof typeof NODE_RULES>, Rule>
