import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuId, PartitionId } from '../../cluster/node.ts'
import type { PodId } from '../../cluster/workload.ts'
import { compareText } from '../../units.ts'
import type { GpuTarget, PodMove } from '../words/action.ts'
import type { IndexedFleet } from '../../fleet/indexed-fleet.ts'
import type { GpuSpace } from '../../fleet/gpu-space.ts'
import type { Seat } from './seat-pods.ts'

/** One partition that a pod holds now. */
type Holding = {
  readonly gpu: GpuId
  readonly partition: PartitionId
  readonly resource: string
  readonly model: string | undefined
  /** Memory slices; a whole GPU counts as more than any part. */
  readonly size: number
  readonly start: number | undefined
}

/** What pods hold, by pod; worked out for those that are asked for. */
export type Holdings = Pick<ReadonlyMap<PodId, readonly Holding[]>, 'get' | 'has'>

/** What every pod holds. */
export function repackHoldings({ allocations, nodes }: ClusterSnapshot, fleet: IndexedFleet): Holdings {
  const gpus = new Map<PartitionId, GpuId>()
  for (const { gpus: own } of nodes) {
    for (const { id, partitions } of own) for (const partition of partitions) gpus.set(partition.id, id)
  }
  const heldBy = Map.groupBy(allocations, ({ pod }) => pod)
  const get = (pod: PodId): readonly Holding[] | undefined => {
    const held = (heldBy.get(pod) ?? []).flatMap(
      ({ partition }) => holdingOn(fleet.space(gpus.get(partition) ?? ''), partition) ?? [],
    )
    return held.length === 0 ? undefined : held
  }
  return { get, has: (pod) => get(pod) !== undefined }
}

function holdingOn(space: GpuSpace | undefined, partition: PartitionId): Holding | undefined {
  const slot = space?.slots.find((each) => each.partition === partition)
  if (space === undefined || slot === undefined) return undefined
  const { resource, placement } = slot
  const { id: gpu, model } = space.gpu
  return { gpu, partition, resource, model, size: placement?.size ?? 100, start: placement?.start }
}

/** The layouts of all GPUs that a repack changes, by id. */
export const targetsOf = (fleet: IndexedFleet): GpuTarget[] =>
  fleet
    .changed()
    .map(({ gpu, slots, actuator }): GpuTarget => {
      const layout = slots.flatMap(({ profile, placement }) =>
        placement === undefined ? [] : [{ profile, placement }],
      )
      const migEnabled = layout.length > 0 || (actuator === 'dra' && gpu.migEnabled)
      return { gpu: gpu.id, migEnabled, layout: layout.toSorted((a, b) => a.placement.start - b.placement.start) }
    })
    .toSorted((a, b) => compareText(a.gpu, b.gpu))

/** From what each pod holds to what is kept for it, in the order of what it holds. */
export function movesOf(seats: readonly Seat[], holdings: Holdings): PodMove[] {
  const byPod = Map.groupBy(seats, ({ pod }) => pod)
  return [...byPod]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([pod, own]) =>
      own.map(({ gpu, slot }, index) => ({
        pod,
        from: holdings.get(pod)?.[index]?.partition ?? '',
        to: { gpu, profile: slot.profile },
      })),
    )
}
