import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Pod } from '../../cluster/workload.ts'
import type { Wish } from '../action/wish.ts'
import type { RecommendContext } from './recommend-context.ts'

/**
 * The part of the cluster that a plan for these wishes looks at: the nodes that change or take pods in, all pods there, and
 * all pods of the workloads that change. Budgets and quotas stay whole, as they say themselves what is left of them. A plan
 * made on it is the plan made on the whole, without walking through the whole once for each.
 */
export function surroundings(wishes: readonly Wish[], context: RecommendContext): ClusterSnapshot {
  const { snapshot, podsOf, podsOn, nodes, workloads } = context
  const changed = wishes.flatMap((wish) => ('workload' in wish ? (podsOf.get(wish.workload) ?? []) : []))
  const names = new Set([
    ...wishes.flatMap((wish) => nodesOf(wish, context)),
    ...changed.flatMap(({ node }) => node ?? []),
  ])
  const there = [...names].flatMap((name) => podsOn.get(name) ?? [])
  const pods = new Map<string, Pod>([...changed, ...there].map((pod) => [pod.id, pod]))
  const owners = new Set([...pods.values()].map(({ workload }) => workload))
  return {
    ...snapshot,
    nodes: [...nodes.values()].filter(({ name }) => names.has(name)),
    pods: [...pods.values()],
    workloads: [...owners].flatMap((id) => workloads.get(id) ?? []),
    allocations: snapshot.allocations.filter(({ pod }) => pods.has(pod)),
  }
}

function nodesOf(wish: Wish, { nodeOfGpu, heldBy }: RecommendContext): readonly string[] {
  const moves = 'moves' in wish ? wish.moves : []
  const gpus = wish.kind === 'layout' ? wish.targets.map(({ gpu }) => gpu) : []
  return [
    ...('node' in wish ? [wish.node] : []),
    ...[...gpus, ...moves.flatMap(({ to }) => to?.gpu ?? [])].flatMap((gpu) => nodeOfGpu.get(gpu) ?? []),
    ...moves.flatMap(({ pod }) => (heldBy.get(pod) ?? []).map(({ node }) => node)),
  ]
}
