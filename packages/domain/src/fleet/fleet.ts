import type { Allocation, ClusterSnapshot } from '../cluster/inventory.ts'
import type { Gpu, GpuId, GpuNode, PartitionId } from '../cluster/node.ts'
import type { DisruptionBudget, Quota } from '../cluster/scheduling.ts'
import { isServedByDra } from './gpu-state.ts'
import type { Pod, PodId, Workload, WorkloadId } from '../cluster/workload.ts'

/**
 * A snapshot with indexes, on which a plan is tried out. Every change goes through `put` or `drop`, so that `rollBack` can
 * take back what a refused part of a plan had already done.
 */
export type Fleet = {
  readonly began: ClusterSnapshot
  readonly nodes: Map<string, GpuNode>
  readonly pods: Map<PodId, Pod>
  readonly workloads: Map<WorkloadId, Workload>
  readonly allocations: Map<PodId, readonly Allocation[]>
  readonly holders: Map<PartitionId, readonly PodId[]>
  readonly budgets: Map<string, DisruptionBudget>
  readonly quotas: Map<string, Quota>
  readonly nodeOfGpu: ReadonlyMap<GpuId, string>
  /** Pods bound to a node when the plan was made. A plan only takes pods away: the scheduler alone binds them. */
  readonly boundTo: ReadonlyMap<string, readonly PodId[]>
  readonly budgetsOf: ReadonlyMap<PodId, readonly string[]>
  /** Nodes whose GPUs a DRA driver serves, by what the snapshot showed before anything was changed. */
  readonly servedByDra: ReadonlySet<string>
  readonly cordonedBefore: ReadonlySet<string>
  /** Pods that the plan has displaced so far. */
  readonly displaced: Map<PodId, true>
  readonly journal: (() => void)[]
}

/** The snapshot, ready for changes; the snapshot itself stays as it is. */
export function openFleet(snapshot: ClusterSnapshot): Fleet {
  return {
    began: snapshot,
    nodes: new Map(snapshot.nodes.map((node) => [node.name, node])),
    pods: new Map(snapshot.pods.map((pod) => [pod.id, pod])),
    workloads: new Map(snapshot.workloads.map((workload) => [workload.id, workload])),
    allocations: grouped(snapshot.allocations.map((allocation) => [allocation.pod, allocation])),
    holders: grouped(snapshot.allocations.map(({ partition, pod }) => [partition, pod])),
    budgets: new Map(snapshot.budgets.map((budget) => [budget.id, budget])),
    quotas: new Map(snapshot.quotas.map((quota) => [quota.id, quota])),
    nodeOfGpu: new Map(snapshot.nodes.flatMap(({ name, gpus }) => gpus.map(({ id }) => [id, name]))),
    boundTo: grouped(snapshot.pods.flatMap(({ id, node }) => (node === undefined ? [] : [[node, id]]))),
    budgetsOf: grouped(snapshot.budgets.flatMap(({ id, pods }) => pods.map((pod) => [pod, id]))),
    servedByDra: new Set(snapshot.nodes.filter(isServedByDra).map(({ name }) => name)),
    cordonedBefore: new Set(snapshot.nodes.flatMap(({ name, schedulable }) => (schedulable ? [] : name))),
    displaced: new Map(),
    journal: [],
  }
}

/** What the cluster is after the changes so far. */
export const snapshotOf = (state: Fleet): ClusterSnapshot => ({
  ...state.began,
  nodes: [...state.nodes.values()],
  pods: [...state.pods.values()],
  workloads: [...state.workloads.values()],
  allocations: [...state.allocations.values()].flat(),
  budgets: [...state.budgets.values()],
  quotas: [...state.quotas.values()],
})

/** Sets one entry and remembers what it was. */
export function put<Key, Value>(state: Fleet, map: Map<Key, Value>, [key, value]: readonly [Key, Value]): void {
  remember(state, map, key)
  map.set(key, value)
}

/** Removes one entry and remembers what it was. */
export function drop<Key, Value>(state: Fleet, map: Map<Key, Value>, key: Key): void {
  remember(state, map, key)
  map.delete(key)
}

/** Takes back everything since the journal had this length. */
export function rollBack(state: Fleet, length: number): void {
  while (state.journal.length > length) state.journal.pop()?.()
}

export const gpuOf = (state: Fleet, id: GpuId): Gpu | undefined =>
  state.nodes.get(state.nodeOfGpu.get(id) ?? '')?.gpus.find((gpu) => gpu.id === id)

/** Pods that hold a partition of the GPU, in text order. */
export const holdersOf = (state: Fleet, gpu: Gpu): readonly PodId[] =>
  [...new Set(gpu.partitions.flatMap(({ id }) => state.holders.get(id) ?? []))].toSorted()

/** Pods that still run on the node, in text order. */
export const podsOn = (state: Fleet, node: string): readonly Pod[] =>
  (state.boundTo.get(node) ?? [])
    .flatMap((id) => state.pods.get(id) ?? [])
    .filter((pod) => pod.node === node && pod.phase !== 'Succeeded' && pod.phase !== 'Failed')
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))

/** Pods of the node of which no source says which GPU they hold. */
export const unplacedPods = (state: Fleet, node: string): readonly Pod[] =>
  podsOn(state, node).filter(({ id }) =>
    (state.allocations.get(id) ?? []).every(({ evidence }) => evidence === 'guess'),
  )

function remember<Key, Value>(state: Fleet, map: Map<Key, Value>, key: Key): void {
  const before = map.get(key)
  state.journal.push(before === undefined ? () => map.delete(key) : () => map.set(key, before))
}

function grouped<Key, Value>(entries: ReadonlyArray<readonly [Key, Value]>): Map<Key, readonly Value[]> {
  const groups = new Map<Key, Value[]>()
  for (const [key, value] of entries) {
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [value])
    else group.push(value)
  }
  return groups
}
