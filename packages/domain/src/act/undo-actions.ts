import type { ClusterSnapshot } from '../cluster/inventory.ts'
import type { Pod, PodId } from '../cluster/workload.ts'
import { isSameCut } from '../plan/state/gpu-state.ts'
import { geometryOf } from '../gpu/layout.ts'
import type { Action, PlanStep } from '../plan/words/action.ts'

/**
 * What takes one step back on the cluster as it is now. Work that has moved onto GPUs which are cut back is evicted first,
 * within its disruption budgets: mig-manager cuts no GPU that somebody holds, and the device plugin would give a held one out
 * again.
 */
export function undoActions(step: PlanStep, snapshot: ClusterSnapshot): readonly Action[] {
  return step.inverse.flatMap((action) => {
    if (action.kind === 'repartition') {
      const replaces = step.action.kind === 'repartition' ? { replaces: step.action.config } : {}
      const holders = holdersOf(action, snapshot)
      const pods = snapshot.pods.filter(({ id }) => holders.has(id))
      return [...evictionsOf(pods, action.node), { ...action, ...replaces }]
    }
    if (action.kind !== 'share') return [action]
    return [
      ...evictionsOf(
        snapshot.pods.filter(({ node }) => node === action.node),
        action.node,
      ),
      action,
    ]
  })
}

/** Who holds what a cut takes away. */
export function holdersOf(
  action: Extract<Action, { readonly kind: 'repartition' }>,
  { nodes, allocations }: Pick<ClusterSnapshot, 'nodes' | 'allocations'>,
): ReadonlySet<PodId> {
  const node = nodes.find(({ name }) => name === action.node)
  const changing = new Set(
    action.gpus.flatMap(({ gpu: id, from, to }) => {
      const gpu = node?.gpus.find((each) => each.id === id)
      const now = { migEnabled: from.migEnabled, geometry: geometryOf(from.layout) }
      return gpu !== undefined && !isSameCut(gpu, now, to) ? gpu.partitions.map((partition) => partition.id) : []
    }),
  )
  return new Set(allocations.flatMap(({ partition, pod }) => (changing.has(partition) ? [pod] : [])))
}

const evictionsOf = (pods: readonly Pod[], node: string): readonly Action[] =>
  pods.map(({ id, uid, workload }) => ({
    kind: 'evict',
    pod: id,
    uid,
    workload,
    because: `GPUs of ${node} change back`,
  }))
