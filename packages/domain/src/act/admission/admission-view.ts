import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { HostLeft } from '../../cluster/host-left.ts'
import { countedFleet } from '../../fleet/counted-fleet.ts'
import type { GpuNode, PartitionId } from '../../cluster/node.ts'
import type { NodeRules } from '../../cluster/node-rules.ts'
import type { Quota } from '../../cluster/scheduling.ts'
import type { WorkloadId } from '../../cluster/workload.ts'
import { profileOf } from '../../gpu/board.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import { freePartitions, type FreePartition } from '../../fleet/free-room.ts'
import { isServedByDra } from '../../fleet/gpu-state.ts'
import { ratio, type Instant, type Mib, type Ratio } from '../../units.ts'
import type { KnownSize } from './known-sizes.ts'

/** All that a new pod is judged by, small enough to be handed to anyone who answers. */
export type AdmissionView = {
  readonly takenAt: Instant
  /** By the workload, and by each owner between it and its pods. */
  readonly sizes: ReadonlyMap<WorkloadId, KnownSize>
  /** Nodes with MIG instances that a pod could get now by the name of their profile. */
  readonly nodes: readonly AdmissionNode[]
  readonly quotas: readonly Quota[]
}

export type AdmissionNode = {
  readonly name: string
  readonly rules: NodeRules
  readonly left: HostLeft
  readonly instances: readonly FreeInstance[]
}

/** A MIG instance that nobody holds and that is less than its GPU. */
export type FreeInstance = {
  readonly partition: PartitionId
  readonly profile: ProfileName
  /** `nvidia.com/mig-1g.20gb` */
  readonly resource: string
  readonly model: string
  /** What a pod can use of it. */
  readonly memory: Mib
  /** Its part of the GPU's compute. */
  readonly share: Ratio
}

/**
 * What is free now under the mixed MIG strategy, beside what is known of sizes. Whole GPUs, shared replicas, which are not
 * isolated from one another, and devices of a DRA driver are not in it.
 */
export function admissionView(snapshot: ClusterSnapshot, sizes: AdmissionView['sizes']): AdmissionView {
  const fleet = countedFleet(snapshot)
  const free = freePartitions(fleet).filter(({ node }) => isMixed(node))
  const leftOf = new Map(
    fleet.nodes.map(({ node, cpuLeft, memoryLeft }) => [node, { cpuMilli: cpuLeft, memory: memoryLeft }]),
  )
  const byNode = Map.groupBy(free.flatMap(instanceOf), ({ node }) => node)
  return {
    takenAt: snapshot.takenAt,
    sizes,
    nodes: [...byNode].map(([node, found]) => ({
      name: node.name,
      rules: { labels: node.room.labels, taints: node.room.taints },
      left: leftOf.get(node) ?? { cpuMilli: 0, memory: 0 },
      instances: found.map(({ instance }) => instance),
    })),
    quotas: snapshot.quotas,
  }
}

const isMixed = (node: GpuNode): boolean => node.mig.strategy === 'mixed' && !isServedByDra(node)

function instanceOf({ node, model, share, partition, resource }: FreePartition): readonly Placed[] {
  if (partition.kind !== 'mig' || share >= 1 || (node.allocatable[resource] ?? 0) <= 0) return []
  const board = boardFor(model)
  const memory = board === undefined ? undefined : profileOf(board, partition.profile)?.memory
  if (memory === undefined) return []
  const { id, profile } = partition
  return [{ node, instance: { partition: id, profile, resource, model, memory, share: ratio(share) } }]
}
type Placed = { readonly node: GpuNode; readonly instance: FreeInstance }
