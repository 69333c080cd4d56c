import { WHOLE_GPU_RESOURCE } from '../gpu/whole-gpu.ts'
import { offeredPerInstance, profileOfResource } from '../gpu/profile-name.ts'
import { onceFor } from '../once-for.ts'
import type { GpuNode, Partition, Sharing } from './node.ts'

/** How many pods each device of a node is offered to; 1 where it is not shared. */
export const replicasOf = ({ sharing }: { readonly sharing: Sharing }): number =>
  sharing.kind === 'none' ? 1 : Math.max(1, sharing.replicas)

/** GPUs that the kubelet offers whole, each counted once however many may share it. */
export const offeredWhole = (node: Pick<GpuNode, 'allocatable' | 'sharing'>): number =>
  ((node.allocatable[WHOLE_GPU_RESOURCE] ?? 0) + (node.allocatable['nvidia.com/gpu.shared'] ?? 0)) / replicasOf(node)

/** How many devices a GPU instance of each profile is offered as. It is asked for every partition of every reading. */
const offeredAs = onceFor((allocatable: GpuNode['allocatable']) => {
  const most = new Map<string, number>()
  for (const [resource, count] of Object.entries(allocatable)) {
    const profile = count > 0 ? profileOfResource(resource) : undefined
    if (profile !== undefined) most.set(profile, Math.max(most.get(profile) ?? 1, offeredPerInstance(resource)))
  }
  return most
})

/**
 * How many pods may hold a partition at once, each an equal part of it: as many as replicas are offered of a MIG device,
 * for each of the compute instances that its GPU instance is offered as. A replica of a GPU is a partition of its own.
 */
export function holdersPer(partition: Partition, node: Pick<GpuNode, 'allocatable' | 'sharing'>): number {
  if (partition.kind !== 'mig') return 1
  const { kind } = node.sharing
  return (
    (offeredAs(node.allocatable).get(partition.profile) ?? 1) *
    (kind === 'time-slicing' || kind === 'mps' ? replicasOf(node) : 1)
  )
}
