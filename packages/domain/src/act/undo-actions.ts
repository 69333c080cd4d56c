import type { ClusterSnapshot } from '../cluster/inventory.ts'
import { isSameCut } from '../plan/state/gpu-state.ts'
import { geometryOf } from '../gpu/layout.ts'
import type { Action, PlanStep } from '../plan/words/action.ts'

/**
 * What takes one step back on the cluster as it is now. Work that has moved onto GPUs which are cut back is evicted first,
 * within its disruption budgets: mig-manager cuts no GPU that somebody holds.
 */
export function undoActions(step: PlanStep, snapshot: ClusterSnapshot): readonly Action[] {
  return step.inverse.flatMap((action) =>
    action.kind === 'repartition' ? [...evictionsFor(action, snapshot), action] : [action],
  )
}

function evictionsFor(
  action: Extract<Action, { readonly kind: 'repartition' }>,
  { nodes, allocations, pods }: ClusterSnapshot,
): readonly Action[] {
  const node = nodes.find(({ name }) => name === action.node)
  const changing = new Set(
    action.gpus.flatMap(({ gpu: id, from, to }) => {
      const gpu = node?.gpus.find((each) => each.id === id)
      const now = { migEnabled: from.migEnabled, geometry: geometryOf(from.layout) }
      return gpu !== undefined && !isSameCut(gpu, now, to) ? gpu.partitions.map((partition) => partition.id) : []
    }),
  )
  const holders = new Set(allocations.flatMap(({ partition, pod }) => (changing.has(partition) ? [pod] : [])))
  return pods
    .filter(({ id }) => holders.has(id))
    .map(({ id, uid, workload }): Action => ({
      kind: 'evict',
      pod: id,
      uid,
      workload,
      because: `GPUs of ${action.node} are cut back`,
    }))
}
