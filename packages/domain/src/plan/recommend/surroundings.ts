import type { Allocation, ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuNode } from '../../cluster/node.ts'
import type { DisruptionBudget } from '../../cluster/scheduling.ts'
import type { Pod, PodId } from '../../cluster/workload.ts'
import { compareText } from '../../units.ts'
import type { Wish } from '../words/wish.ts'
import type { RecommendContext } from './recommend-context.ts'

/**
 * The part of the cluster that a plan for these wishes looks at: the nodes that change or take pods in, all pods there, and
 * all pods of the workloads that change. Their budgets and all quotas stay whole, as they say themselves what is left of
 * them. A plan made on it is the plan made on the whole, without walking through the whole once for each.
 */
export function surroundings(wishes: readonly Wish[], context: RecommendContext): ClusterSnapshot {
  const { snapshot, podsOf, podsOn, workloads } = context
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
    nodes: nodesNamed(names, context),
    pods: [...pods.values()],
    workloads: [...owners].flatMap((id) => workloads.get(id) ?? []),
    allocations: allocationsOf(pods.keys(), context),
    budgets: budgetsOf(pods.keys(), context),
  }
}

/** In the order of the snapshot, which is that of their names. */
const nodesNamed = (names: Iterable<string>, { nodes }: RecommendContext): readonly GpuNode[] =>
  [...names].flatMap((name) => nodes.get(name) ?? []).toSorted((a, b) => compareText(a.name, b.name))

/** Those that cover any of the pods, each with all that it covers, by id as the snapshot has them. */
const budgetsOf = (pods: Iterable<PodId>, { budgetsBy }: RecommendContext): readonly DisruptionBudget[] =>
  [...new Set([...pods].flatMap((pod) => budgetsBy.get(pod) ?? []))].toSorted((a, b) => compareText(a.id, b.id))

/** In the order of the snapshot, which is that of their partitions. */
const allocationsOf = (pods: Iterable<PodId>, { allocationsBy }: RecommendContext): readonly Allocation[] =>
  [...pods]
    .flatMap((pod) => allocationsBy.get(pod) ?? [])
    .toSorted((a, b) => compareText(a.partition, b.partition) || compareText(a.pod, b.pod))

function nodesOf(wish: Wish, { nodeOfGpu, heldBy }: RecommendContext): readonly string[] {
  const moves = 'moves' in wish ? wish.moves : []
  const gpus = wish.kind === 'layout' ? wish.targets.map(({ gpu }) => gpu) : []
  return [
    ...('node' in wish ? [wish.node] : []),
    ...[...gpus, ...moves.flatMap(({ to }) => to?.gpu ?? [])].flatMap((gpu) => nodeOfGpu.get(gpu) ?? []),
    ...moves.flatMap(({ pod }) => (heldBy.get(pod) ?? []).map(({ node }) => node)),
  ]
}
