import type { Action } from '../../plan/words/action.ts'
import type { Instant } from '../../units.ts'
import type { LiveObject, ObjectRef } from '../cluster-writer.ts'
import { textAt, textsAt } from '../live-object.ts'
import { podName, podsThatLeave, whyPodStays } from '../nodes/pods-that-leave.ts'
import { isStatic, POOL_LABEL, whyPoolKeeps } from '../nodes/pool-budget.ts'
import { keepOf, keepWords } from '../owners/keep.ts'
import { WHERE_POLICIES_ARE } from '../policy/where-policies-are.ts'
import { plural } from '../../words.ts'
import {
  done,
  failed,
  seeing,
  waiting,
  type Ruled,
  type Deciding,
  type StepDecision,
  type StepAsk,
  type StepContext,
} from './decision.ts'
import { decideEvict, nodeRef, podsBoundTo, whoIsMissing } from './node-steps.ts'

/** Key of the one write that cannot be taken back. */
export const END_MACHINE = 'end-machine'

type RemoveNode = Extract<Action, { readonly kind: 'remove-node' }>

/**
 * Empties a node and gives its machine back: by its NodeClaim where Karpenter made it, else by leaving it empty and cordoned to
 * Cluster Autoscaler. Nobody ends a machine that neither of them knows. Up to the NodeClaim's deletion all of it can be taken
 * back, so that comes last: once every pod has left, and displaced work runs elsewhere.
 */
export function* decideRemoveNode(action: RemoveNode, context: StepContext): Deciding {
  const { node: name } = action
  const { now, patience } = context
  const node = yield* seeing(nodeRef(name))
  if (node === undefined) return done(`${name} has left the cluster.`)
  const claims = yield* clusterWide(CLAIMS)
  const claim = claims.find((each) => textAt(each, 'status', 'nodeName') === name)
  if ([node, claim].some((each) => textAt(each, 'metadata', 'deletionTimestamp') !== '')) {
    return waiting(`The machine of ${name} is being terminated.`, patience.remove)
  }
  const stays = whyNodeStays(node, { claim, now })
  if (stays !== undefined) return failed(`${name} ${stays}.`)
  const ending = yield* endingOf(name, { claim, claims, context })
  if (ending.kind === 'blocked') return ending.by
  return (yield* emptied(name, context)) ?? (yield* landed(action, context)) ?? ending.decision
}

const CLAIMS = { group: 'karpenter.sh', version: 'v1', resource: 'nodeclaims' }

const clusterWide = function* (kind: Omit<ObjectRef, 'namespace' | 'name'>): Generator<StepAsk, Ruled, Ruled> {
  return yield { kind: 'objects', objects: { ...kind, namespace: undefined } }
}

type Claimed = { readonly claim: LiveObject | undefined }

/** What its owner says of a node, in words that follow its name. */
function whyNodeStays(node: LiveObject, { claim, now }: Claimed & { readonly now: Instant }): string | undefined {
  const annotations = { ...textsAt(claim, 'metadata', 'annotations'), ...textsAt(node, 'metadata', 'annotations') }
  const kept = HELD_BY.find((annotation) => !['', 'false'].includes(annotations[annotation] ?? ''))
  return kept === undefined ? keepWords(keepOf(node), now) : `carries the annotation ${kept}, so it stays`
}

const HELD_BY = ['karpenter.sh/do-not-disrupt', 'cluster-autoscaler.kubernetes.io/scale-down-disabled']

/** What ends the machine once its node is empty, or why nothing is to be begun. */
type Ending =
  | { readonly kind: 'ends'; readonly decision: StepDecision }
  | { readonly kind: 'blocked'; readonly by: StepDecision }

function* endingOf(
  name: string,
  { claim, claims, context }: Claimed & { readonly claims: readonly LiveObject[]; readonly context: StepContext },
): Generator<StepAsk, Ending, Ruled> {
  const { isRehearsal, patience } = context
  if (claim === undefined) {
    const status = yield* seeing(AUTOSCALER)
    if (status === undefined) return { kind: 'blocked', by: failed(nobodyEnds(name)) }
    const because = `${name} is empty and cordoned; Cluster Autoscaler ends it when it finds it unneeded.`
    return { kind: 'ends', decision: waiting(because, patience.remove) }
  }
  const owner = textsAt(claim, 'metadata', 'labels')[POOL_LABEL] ?? ''
  const pool = owner === '' ? undefined : yield* seeing(poolRef(owner))
  if (pool !== undefined && isStatic(pool)) {
    const because = `NodePool ${owner} keeps a fixed number of nodes (spec.replicas), so it would replace ${name} at once. Lower spec.replicas instead.`
    return { kind: 'blocked', by: failed(because) }
  }
  const kept = pool === undefined ? undefined : whyPoolKeeps(pool, claims, context)
  if (kept === undefined) return { kind: 'ends', decision: claimDeletion(name, claim) }
  return { kind: 'blocked', by: isRehearsal ? failed(kept) : waiting(kept, patience.leave) }
}

const poolRef = (name: string): ObjectRef => ({ ...CLAIMS, resource: 'nodepools', namespace: undefined, name })

/** It writes what it does there. The name can be changed by a flag, then it is not found. */
const AUTOSCALER: ObjectRef = {
  group: '',
  version: 'v1',
  resource: 'configmaps',
  namespace: 'kube-system',
  name: 'cluster-autoscaler-status',
}

const nobodyEnds = (name: string): string =>
  `Nothing in the cluster can end the machine of ${name}: Karpenter has no NodeClaim for it, and Cluster Autoscaler does not write kube-system/cluster-autoscaler-status. Drain it from the files of the plan, and end it where you made it.`

/** Evicts what is left, one pod after another; undefined once nothing is. */
function* emptied(name: string, context: StepContext): Generator<StepAsk, StepDecision | undefined, Ruled> {
  const pods = yield* podsBoundTo(name)
  const leaving = podsThatLeave(pods)
  const stays = leaving.map((pod) => whyPodStays(pod, context)).find((because) => because !== undefined)
  if (stays !== undefined) return failed(`${name} cannot be removed: ${stays}`)
  // Before anything changes all of them are there: those with a GPU, and those that no plan has seen.
  if (context.isRehearsal && leaving.length > (context.mostPods ?? Infinity)) {
    return failed(
      `${plural(leaving.length, 'pod')} would leave ${name}, with or without a GPU (${context.mostPods} allowed). Choose another node, or raise the limit in ${WHERE_POLICIES_ARE}.`,
    )
  }
  const next = leaving[0]
  return next === undefined
    ? undefined
    : yield* decideEvict({ pod: podName(next), uid: textAt(next, 'metadata', 'uid') }, context)
}

/** While the machine is there, whoever finds no place elsewhere can come back. */
function* landed(
  { landed: landings = [] }: RemoveNode,
  { patience }: StepContext,
): Generator<StepAsk, StepDecision | undefined, Ruled> {
  const missing = yield* whoIsMissing(landings)
  return missing === undefined ? undefined : waiting(missing, patience.leave)
}

const claimDeletion = (name: string, claim: LiveObject): StepDecision => ({
  kind: 'write',
  key: END_MACHINE,
  says: `Have Karpenter end ${name}`,
  write: {
    verb: 'delete',
    object: { ...CLAIMS, namespace: undefined, name: textAt(claim, 'metadata', 'name') },
    uid: textAt(claim, 'metadata', 'uid'),
  },
})
