import type { GpuPart } from '../../analyze/gpu-parts.ts'
import type { GpuNode, Partition } from '../../cluster/node.ts'
import type { GpuRequest, Pod } from '../../cluster/workload.ts'
import { resourceOfProfile } from '../../gpu/profile-name.ts'
import type { RecommendContext } from './recommend-context.ts'

/** A partition that nobody holds, on a node that takes pods. */
export type FreePartition = {
  readonly partition: Partition
  readonly resource: string
  readonly node: GpuNode
  readonly part: GpuPart
}

/** Partitions that a pod could start on now, by node and in the snapshot's order; space that is not cut is none. */
export function freePartitions({ parts, nodes }: RecommendContext): readonly FreePartition[] {
  const byId = new Map(
    [...nodes.values()].flatMap(({ gpus }) =>
      gpus.flatMap(({ partitions }) => partitions.map((partition) => [partition.id, partition])),
    ),
  )
  return parts.flatMap((part): FreePartition[] => {
    const partition = byId.get(part.partition)
    const node = nodes.get(part.node)
    if (part.kind !== 'free' || partition === undefined || node === undefined) return []
    if (!node.ready || !node.schedulable) return []
    return [{ partition, resource: resourceOf(partition, node), node, part }]
  })
}

/** The extended resource that the device plugin offers a partition as. */
function resourceOf(partition: Partition, { mig, sharing, allocatable }: GpuNode): string {
  if (partition.kind === 'mig')
    return mig.strategy === 'single' ? 'nvidia.com/gpu' : resourceOfProfile(partition.profile)
  const renamed = sharing.kind !== 'none' && 'nvidia.com/gpu.shared' in allocatable
  return renamed ? 'nvidia.com/gpu.shared' : 'nvidia.com/gpu'
}

/** What is left of a node's CPU and memory; undefined where it is not known, so that it cannot bind. */
export type HostRoom = { readonly cpuMilli: number | undefined; readonly memory: number | undefined }

export function hostRoom(node: GpuNode, { podsOn }: Pick<RecommendContext, 'podsOn'>): HostRoom {
  const pods = podsOn.get(node.name) ?? []
  const cpu = pods.reduce((sum, { scheduling }) => sum + scheduling.cpuMilli, node.room.cpuUsed ?? 0)
  const memory = pods.reduce((sum, { scheduling }) => sum + scheduling.memory, node.room.memoryUsed ?? 0)
  return {
    cpuMilli: node.room.cpuMilli === undefined ? undefined : node.room.cpuMilli - cpu,
    memory: node.room.memory === undefined ? undefined : node.room.memory - memory,
  }
}

export const takesHost = ({ scheduling }: Pod, { cpuMilli, memory }: HostRoom): boolean =>
  (cpuMilli === undefined || scheduling.cpuMilli <= cpuMilli) && (memory === undefined || scheduling.memory <= memory)

/** The one resource that a pod asks for; undefined where it asks for none or several. */
export const soleRequest = ({ requests }: Pod): GpuRequest | undefined =>
  requests.length === 1 ? requests[0] : undefined
