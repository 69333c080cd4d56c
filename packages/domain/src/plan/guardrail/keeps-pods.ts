import { agree, plural } from '../../words.ts'
import type { PodId } from '../../cluster/workload.ts'
import { podsOf } from './displaced-by.ts'
import type { StepQuestion, StepRule } from './guardrail.ts'

type Stopping = Pick<StepQuestion, 'displaced' | 'state'> & Partial<Pick<StepQuestion, 'action'>>

/** Pods of namespaces that a person protects stay where they are; `team-*` is every one that begins so. */
export function whyProtected({ displaced, state, policy: { protectedNamespaces = [] } }: StepQuestion) {
  if (protectedNamespaces.length === 0) return undefined
  const kept = displaced
    .flatMap((id) => state.pods.get(id) ?? [])
    .find(({ namespace }) => protectedNamespaces.some((pattern) => coversName(pattern, namespace)))
  return kept && protectedWords(kept.id, kept.namespace, 'Settings → Policies')
}

export const protectedWords = (id: string, namespace: string, where: string): string =>
  `${id} is in the namespace ${namespace}, which is protected in ${where}. Leave it, or remove the namespace from that list.`

/** Whether a name is the one that is meant, or begins like a pattern that ends in `*`. */
export const coversName = (pattern: string, namespace: string): boolean =>
  pattern.endsWith('*') ? namespace.startsWith(pattern.slice(0, -1)) : namespace === pattern

/** Pods that say they must not be disrupted, or that would come back to the same node, stay where they are. */
export function whyDisturbed({ displaced, state, action }: Stopping): string | undefined {
  // Which of its pods go is its controller's choice.
  const some = action?.kind === 'scale' && action.to > 0 && action.to < action.from
  const may = some ? podsOf(state, action.workload).map(({ id }) => id) : displaced
  const kept = may.find((id) => state.pods.get(id)?.scheduling.evictable === false)
  return kept === undefined
    ? undefined
    : `${kept} is marked as not disruptable (karpenter.sh/do-not-disrupt, safe-to-evict or a daemon's pod). Wait for its end, or remove the annotation.`
}

/** A pod without a controller is gone for good once it is evicted, so that takes a person's word for that very pod. */
export const whyUnmanaged: StepRule = ({ displaced, state, policy: { evictUnmanaged } }) => {
  const isLost = (id: PodId): boolean =>
    state.pods.get(id)?.scheduling.managed === false && !evictUnmanaged.includes(id)
  const lost = displaced.find(isLost)
  return lost === undefined
    ? undefined
    : `${lost} has no controller: once stopped, it is not recreated. Stop it yourself, or list it among the pods that may be lost.`
}

/**
 * An eviction takes one from what each budget of its pod still allows, over the whole plan. The eviction API answers 500
 * to a pod with two budgets, so such a pod cannot be evicted at all.
 */
export const whyBudgetHolds: StepRule = ({ action, state: { budgets, budgetsOf } }) => {
  if (action.kind !== 'evict') return undefined
  const own = (budgetsOf.get(action.pod) ?? []).flatMap((id) => budgets.get(id) ?? [])
  const [first, second] = own
  if (first !== undefined && second !== undefined) {
    return `${action.pod} is covered by two disruption budgets (${own.map(({ id }) => id).join(', ')}), which the eviction API refuses. Leave it one.`
  }
  return first === undefined || first.allowed > 0
    ? undefined
    : `The disruption budget ${first.id} allows no further eviction, so ${action.pod} stays. Wait until its pods are healthy, or raise the budget.`
}

/** With fewer pods than its budget asks for, no node on which one of them stands could be drained any more. */
export const whyBelowFloor: StepRule = ({ action, displaced, state: { budgets, budgetsOf } }) => {
  if (action.kind !== 'scale' || action.to >= action.from || action.to === 0) return undefined
  const ids = new Set(displaced.flatMap((pod) => budgetsOf.get(pod) ?? []))
  const broken = [...ids]
    .flatMap((id) => budgets.get(id) ?? [])
    .find(({ floor = 0, pods }) => pods.length - pods.filter((pod) => displaced.includes(pod)).length < floor)
  return broken === undefined
    ? undefined
    : `The disruption budget ${broken.id} asks for ${broken.floor ?? 0} available pods, and fewer would be left of ${action.workload}. Keep as many, or lower its minAvailable first.`
}

/** One plan displaces no more pods than a person allowed. */
export const whyLimitReached: StepRule = ({ displaced, state, policy: { maxDisplaced } }) => {
  const more = displaced.filter((id) => !state.displaced.has(id)).length
  const total = state.displaced.size + more
  return more === 0 || total <= maxDisplaced
    ? undefined
    : `The plan would displace ${plural(total, 'pod')}; ${maxDisplaced} ${agree(maxDisplaced, 'is', 'are')} allowed. Raise the limit, or plan for fewer nodes at once.`
}
