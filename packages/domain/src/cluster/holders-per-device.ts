import { offeredPerInstance, profileOfResource } from '../gpu/profile-name.ts'
import type { GpuNode, Partition, Sharing } from './node.ts'

/** How many pods each device of a node is offered to; 1 where it is not shared. */
export const replicasOf = ({ sharing }: { readonly sharing: Sharing }): number =>
  sharing.kind === 'none' ? 1 : Math.max(1, sharing.replicas)

/**
 * How many pods may hold a partition at once, each an equal part of it: as many as replicas are offered of a MIG device,
 * for each of the compute instances that its GPU instance is offered as. A replica of a GPU is a partition of its own.
 */
export function holdersPer(partition: Partition, node: Pick<GpuNode, 'allocatable' | 'sharing'>): number {
  if (partition.kind !== 'mig') return 1
  const offered = Object.entries(node.allocatable)
    .filter(([resource, count]) => count > 0 && profileOfResource(resource) === partition.profile)
    .map(([resource]) => offeredPerInstance(resource))
  const { kind } = node.sharing
  return Math.max(1, ...offered) * (kind === 'time-slicing' || kind === 'mps' ? replicasOf(node) : 1)
}
