import type { StudiedSize } from '../../analyze/right-size.ts'
import { compareText } from '../../units.ts'
import type { RecommendationKind } from '../words/action-class.ts'
import { fewerGpus } from './fewer-gpus.ts'
import { type Kept, kept } from './kept.ts'
import { changedBy, completed, type Completed, type Proposal } from './proposal.ts'
import { reclaimIdle } from './reclaim-idle.ts'
import { recommendContext, type RecommendContext, type RecommendSources } from './recommend-context.ts'
import type { Recommendation } from './recommendation.ts'
import { removeNode } from './remove-node.ts'
import { repartition } from './repartition.ts'
import { reschedule } from './reschedule.ts'
import { rightSize } from './right-size.ts'
import { sizesIn, studiedSize } from './size-study.ts'
import { share } from './share.ts'
import { unansweredHolders, type UnansweredHolder } from './unanswered.ts'

/** Recommendations, and the largest idle holders that none of them helps. */
export type Advice = {
  readonly recommendations: readonly Recommendation[]
  readonly unanswered: readonly UnansweredHolder[]
  /** Holders of whole GPUs without MIG that are not to share them, and why. */
  readonly unshared: readonly Kept[]
  /** Which size each workload needs that holds one device to a pod: whoever tells of sizes tells this. */
  readonly sizes: readonly StudiedSize[]
}

/**
 * Changes that would remove waste or start waiting work, best first. Each was tried out under all guardrails; of two that
 * change the same node or workload, or of which one takes what the other counts on, only the better is shown. The same
 * sources give the same answer, in whatever order they come.
 */
export function recommend(sources: RecommendSources): Advice {
  const context = recommendContext(sources)
  const ofNodes = judgedBy(NODE_RULES, context)
  const standing = withoutConflicts([...ofNodes.made, ...ofWorkBefore(context)], context).shown
  const changing = standing.flatMap(({ recommendation: each }) => (each.kind in NODE_RULES ? each : []))
  const avoid = new Set(changing.flatMap((each) => [...changedBy(each, context)]))
  // What counts on free room, or makes some, looks for it where nodes are not changed already.
  const around = { ...context, avoid }
  const ofWorkloads = judgedBy(WORKLOAD_RULES, around)
  const { shown, lost } = withoutConflicts([...ofNodes.made, ...ofWorkloads.made], context)
  const recommendations = shown.map(({ recommendation }) => recommendation)
  const unanswered = unansweredHolders([...ofWorkloads.kept, ...ofNodes.kept, ...lost], recommendations, context)
  return { recommendations, unanswered, unshared: ofNodes.kept, sizes: [...sizesIn(around)].flatMap(studiedSize) }
}

/** What was shown of work counts as made again until it is judged: what is new of nodes takes no room of it by a hair. */
const ofWorkBefore = ({ previous = [] }: RecommendContext): readonly Completed[] =>
  previous.flatMap((recommendation) => (recommendation.kind in WORKLOAD_RULES ? { recommendation, needs: [] } : []))

/** What one rule recommends by itself, whatever others would propose for the same, and what else must stay as it is. */
export function recommendAlone(kind: RecommendationKind, sources: RecommendSources): readonly Completed[] {
  const context = recommendContext(sources)
  const { made } = judgedBy({ [kind]: { ...NODE_RULES, ...WORKLOAD_RULES }[kind] }, context)
  return withoutConflicts(made, context).shown
}

type Rule = (context: RecommendContext) => ReadonlyArray<Proposal | Kept>
type Judged = { readonly made: readonly Completed[]; readonly kept: readonly Kept[] }

function judgedBy(rules: Readonly<Record<string, Rule>>, context: RecommendContext): Judged {
  const judged = Object.values(rules)
    .flatMap((rule) => rule(context))
    .flatMap((each): Completed | Kept | readonly Kept[] => {
      if (each.kind === 'kept') return each
      const made = completed(each, context)
      return typeof made === 'string' ? keptFor(each, context, ['guardrail', made]) : made
    })
  return {
    made: judged.filter((each): each is Completed => !isKept(each)),
    kept: judged.filter(isKept),
  }
}

const isKept = (each: Completed | Kept): each is Kept => 'kind' in each

/** Of what is about a node nobody asks why it is not proposed, but those who hold a GPU that they could share. */
function keptFor(
  { kind, object }: Pick<Proposal, 'kind' | 'object'>,
  { podsOn }: RecommendContext,
  [reason, because]: readonly [Kept['reason'], string],
): readonly Kept[] {
  if (object.startsWith('workload/')) return [kept(object.slice('workload/'.length), reason, because)]
  const holders = kind === 'share' ? (podsOn.get(object.slice('node/'.length)) ?? []) : []
  return [...new Set(holders.map(({ workload }) => workload))].map((id) =>
    kept(id, reason, `Sharing its GPU: ${because}`),
  )
}

/** Best first; of two that touch the same thing only the better, and the other with who came first. */
function withoutConflicts(
  made: readonly Completed[],
  context: RecommendContext,
): { readonly shown: readonly Completed[]; readonly lost: readonly Kept[] } {
  const changed = new Map<string, string>()
  const needed = new Map<string, string>()
  const shown: Completed[] = []
  const lost: Kept[] = []
  const known = new Set(context.previous?.map(({ id }) => id))
  const byWeight = made.toSorted(best((each) => (known.has(each.id) ? KNOWN_BONUS : 1) * each.rank))
  for (const each of byWeight) {
    const { recommendation, needs } = each
    const changes = [...changedBy(recommendation, context)]
    const taken =
      changes.find((object) => changed.has(object) || needed.has(object)) ??
      needs.find((object) => changed.has(object) || isOne(object, needed))
    if (taken === undefined) {
      for (const object of changes) changed.set(object, recommendation.title)
      for (const object of needs) needed.set(object, recommendation.title)
      shown.push(each)
      continue
    }
    const first = changed.get(taken) ?? needed.get(taken)
    const because = `“${recommendation.title}” waits for what comes first: “${first}”.`
    lost.push(...keptFor(recommendation, context, ['other-change', because]))
  }
  return { shown: shown.toSorted(best(({ rank }) => rank)), lost }
}

const best =
  (weightOf: (recommendation: Recommendation) => number) =>
  ({ recommendation: a }: Completed, { recommendation: b }: Completed): number =>
    weightOf(b) - weightOf(a) || compareText(a.id, b.id)

/** What was shown before gives way to what is this much better. */
const KNOWN_BONUS = 1.25

/** Two may count on one node, but not on one partition of it. */
const isOne = (object: string, needed: ReadonlyMap<string, string>): boolean =>
  object.startsWith('partition/') && needed.has(object)

const NODE_RULES = { 'remove-node': removeNode, repartition, share } satisfies Partial<Record<RecommendationKind, Rule>>
const WORKLOAD_RULES = {
  'reclaim-idle': reclaimIdle,
  reschedule,
  'fewer-gpus': fewerGpus,
  'right-size': rightSize,
} satisfies Record<Exclude<RecommendationKind, keyof typeof NODE_RULES>, Rule>
