import type { Allocation, ClusterSnapshot } from './inventory.ts'
import { tellsOfOthers } from './mixed-tenants.ts'
import type { GpuNode } from './node.ts'
import type { Pod, PodId } from './workload.ts'

/**
 * Of a snapshot what some namespaces hold and wait for: their pods and workloads, the partitions that these hold, and the
 * GPUs and nodes that those are on. Nothing in it depends on what others do there. What is told of the cluster as a whole
 * (its queues, its problems, whom its pods repel) is left out.
 */
export function heldBy(snapshot: ClusterSnapshot, namespaces: ReadonlySet<string>): ClusterSnapshot {
  const allocations = allocationsOf(snapshot.allocations, namespaces)
  const held = new Set(allocations.map(({ partition }) => partition))
  const own = ({ namespace }: Pick<Pod, 'namespace'>): boolean => namespaces.has(namespace)
  const { neighbors: _near, cohorts: _cohorts, priorityClasses: _classes, namespaces: _names, ...rest } = snapshot
  return {
    ...rest,
    nodes: snapshot.nodes.flatMap((node) => nodeWith(node, held) ?? []),
    pods: snapshot.pods.filter(own),
    ...(snapshot.finished === undefined ? {} : { finished: snapshot.finished.filter(own) }),
    workloads: snapshot.workloads.filter(own),
    allocations,
    queues: [],
    budgets: snapshot.budgets.filter(({ id }) => namespaces.has(namespaceOf(id))),
    quotas: snapshot.quotas.filter(own),
    problems: [],
  }
}

/** The allocations of pods of some namespaces, by the whole name of the namespace. */
export const allocationsOf = (
  allocations: readonly Allocation[],
  namespaces: ReadonlySet<string>,
): readonly Allocation[] => allocations.filter(({ pod }) => namespaces.has(namespaceOf(pod)))

/** The namespace of a pod, a workload or another namespaced object by its id; empty where the id names none. */
export const namespaceOf = (id: PodId): string => id.slice(0, Math.max(0, id.indexOf('/')))

/** A node with those of its partitions alone; undefined where it has none of them. */
function nodeWith(node: GpuNode, wanted: ReadonlySet<string>): GpuNode | undefined {
  const gpus = node.gpus
    .map((gpu) => ({ ...gpu, partitions: gpu.partitions.filter(({ id }) => wanted.has(id)) }))
    .filter(({ partitions }) => partitions.length > 0)
  if (gpus.length === 0) return undefined
  return { ...node, gpus, problems: node.problems.filter((problem) => !tellsOfOthers(problem)) }
}
