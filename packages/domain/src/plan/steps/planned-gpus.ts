import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Gpu, GpuId, PartitionId } from '../../cluster/node.ts'
import type { WorkloadId } from '../../cluster/workload.ts'
import type { Plan, PodMove } from '../words/action.ts'
import { applyAction } from './apply-action.ts'
import type { PlanPolicy } from '../words/plan-policy.ts'
import { openFleet, snapshotOf } from '../../fleet/fleet.ts'

/** One GPU that a plan touches: how it was cut and who held what when the plan was made, and the same after the last step. */
export type PlannedGpu = {
  readonly node: string
  readonly before: HeldGpu
  /** Undefined: the plan takes the node away. */
  readonly after: HeldGpu | undefined
}

/** A GPU and who holds its partitions; an empty name is a holder who is not told. */
export type HeldGpu = { readonly gpu: Gpu; readonly holders: Readonly<Record<PartitionId, WorkloadId>> }

/** Beyond this many bars nobody reads them; the steps name the rest. */
const MOST_GPUS = 64

/**
 * The GPUs that change through a plan, before and after, by carrying its steps out on the snapshot that it was made from.
 * Pods that the plan moves are drawn where room was counted for them; whoever else waits is not drawn. Empty where a step
 * no longer holds.
 */
export function plannedGpus(plan: Plan, snapshot: ClusterSnapshot, policy: PlanPolicy): readonly PlannedGpu[] {
  const done = carriedOut(plan, snapshot, policy)
  if (done === undefined) return []
  const [before, after] = [heldGpus(snapshot), withMoves(heldGpus(done), plan.moves, snapshot)]
  return snapshot.nodes
    .flatMap((node) => node.gpus.map(({ id }) => ({ node: node.name, id })))
    .flatMap(({ node, id }): PlannedGpu[] => {
      const [was, becomes] = [before.get(id), after.get(id)]
      return was === undefined || isSame(was, becomes) ? [] : [{ node, before: was, after: becomes }]
    })
    .slice(0, MOST_GPUS)
}

/** The cluster after the last step; undefined where one no longer holds. */
export function carriedOut(plan: Plan, snapshot: ClusterSnapshot, policy: PlanPolicy): ClusterSnapshot | undefined {
  const state = openFleet(snapshot)
  for (const { action } of plan.steps) if (applyAction(state, action, policy).kind === 'refuse') return undefined
  return snapshotOf(state)
}

function heldGpus({ nodes, allocations }: ClusterSnapshot): Map<GpuId, HeldGpu> {
  const holders = new Map(allocations.map(({ partition, workload }) => [partition, workload]))
  const gpus = nodes.flatMap((node) => node.gpus)
  return new Map(
    gpus.map((gpu) => {
      const held = gpu.partitions.flatMap(({ id }): [PartitionId, WorkloadId][] => {
        const holder = holders.get(id)
        return holder === undefined ? [] : [[id, holder]]
      })
      return [gpu.id, { gpu, holders: Object.fromEntries(held) }]
    }),
  )
}

/** Each moved pod on the first free partition of the kind that was counted for it. */
function withMoves(
  gpus: Map<GpuId, HeldGpu>,
  moves: readonly PodMove[],
  { pods }: ClusterSnapshot,
): ReadonlyMap<GpuId, HeldGpu> {
  const workloads = new Map(pods.map(({ id, workload }) => [id, workload]))
  for (const { pod, to } of moves) {
    const target = to === undefined ? undefined : gpus.get(to.gpu)
    const workload = workloads.get(pod)
    if (target === undefined || workload === undefined) continue
    const { gpu, holders } = target
    const free = gpu.partitions.find(
      (partition) =>
        holders[partition.id] === undefined && (partition.kind === 'mig' ? partition.profile : '') === to?.profile,
    )
    if (free !== undefined) gpus.set(gpu.id, { gpu, holders: { ...holders, [free.id]: workload } })
  }
  return gpus
}

const isSame = (a: HeldGpu, b: HeldGpu | undefined): boolean =>
  b !== undefined && JSON.stringify(a) === JSON.stringify(b)
