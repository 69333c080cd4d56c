import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Pod } from '../../cluster/workload.ts'
import { isFeasible } from '../../gpu/layout.ts'
import { supplyClassOf } from '../../fleet/gpu-space.ts'
import { ownNameOn } from '../../fleet/gpu-state.ts'
import { IndexedFleet } from '../../fleet/indexed-fleet.ts'
import { whyNotMoved } from '../repack/may-move.ts'
import type { GpuNow, InstanceNow } from './reconfigure-problem.ts'

/**
 * The GPUs of a cluster that can be cut again, for `reconfigure`: in MIG mode, or whole and held by nobody. A pod stays where
 * it is when it has no controller, must not be evicted, has no disruption allowed, holds more than one partition, or has
 * rules that a snapshot does not hold.
 */
export function gpusNow(snapshot: ClusterSnapshot): readonly GpuNow[] {
  const fleet = new IndexedFleet(snapshot)
  const isMovable = movablePods(snapshot)
  return fleet.spaces().flatMap((space): readonly GpuNow[] => {
    const { gpu, board, actuator, open, slots } = space
    const isCuttable = slots.every(
      ({ placement, pods, shared }) => !shared && (placement !== undefined || pods.length === 0),
    )
    if (!open || board === undefined || !isCuttable) return []
    const instances = slots.flatMap(({ profile, placement, partition, pods: [id] }): readonly InstanceNow[] => {
      if (placement === undefined || partition === undefined) return []
      const pod = id === undefined ? undefined : fleet.pods.get(id)
      const movable = id === undefined || (pod !== undefined && isMovable(pod))
      return [{ profile: ownNameOn(board, profile), placement, partition, pod: id, movable }]
    })
    if (isFeasible(board, instances).kind === 'infeasible') return []
    return [{ gpu: gpu.id, supplyClass: supplyClassOf(space), board, actuator, instances }]
  })
}

/** Whether a pod alone may be moved. */
function movablePods(snapshot: ClusterSnapshot): (pod: Pod) => boolean {
  const held = Map.groupBy(snapshot.allocations, ({ pod }) => pod)
  const covering = Map.groupBy(
    snapshot.budgets.flatMap((budget) => budget.pods.map((pod) => ({ pod, budget }))),
    ({ pod }) => pod,
  )
  return (pod) => {
    const budgets = (covering.get(pod.id) ?? []).map(({ budget }) => budget)
    // Its instances move one by one, and all of them must end on one node. The eviction API answers 500 to two budgets.
    if ((held.get(pod.id) ?? []).length > 1 || budgets.length > 1) return false
    return whyNotMoved({ ...snapshot, budgets }, [pod]) === undefined
  }
}
