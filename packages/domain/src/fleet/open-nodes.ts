import { downOn } from '../analyze/broken-gpus.ts'
import { hostLeft } from '../cluster/host-left.ts'
import type { Gpu, GpuNode, Partition, PartitionId } from '../cluster/node.ts'
import type { Pod } from '../cluster/workload.ts'
import { WHOLE_GPU_RESOURCE } from '../gpu/whole-gpu.ts'
import { onceFor } from '../once-for.ts'
import { isServedByDra, resourceOf } from './gpu-state.ts'

/** A node as the scheduler counts it: what it offers less what pods bound to it ask for. */
export type OpenNode = {
  readonly node: GpuNode
  /** Devices of device plugins that nobody asked for, by resource. */
  readonly free: ReadonlyMap<string, number>
  readonly cpuLeft: number
  readonly memoryLeft: number
  /** Whether what is left of its CPU, and of its memory, is known. */
  readonly cpuKnown: boolean
  readonly memoryKnown: boolean
  readonly dra: boolean
  readonly pods: readonly Pod[]
  readonly isHeld: (partition: PartitionId) => boolean
  /** Why what is counted here may not hold; undefined: it does. */
  readonly unsure: string | undefined
}

/** A device that no pod is known to hold, on a GPU that is in use. */
export type FreeDevice = {
  readonly partition: Partition
  readonly gpu: Gpu
  /** Why it may not be free, as the end of a sentence; undefined: it is. */
  readonly doubt: string | undefined
}

/** Pods that count against a node, by its name; those that wait under an empty one. */
export function livingByNode(pods: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> {
  return Map.groupBy(pods.filter(isLiving), ({ node = '' }) => node)
}

/** The scheduler counts a pod against its node until it has ended. */
const isLiving = ({ phase }: Pod): boolean => phase !== 'Succeeded' && phase !== 'Failed'

export function openNode(node: GpuNode, pods: readonly Pod[], isHeld: OpenNode['isHeld']): OpenNode {
  const free = new Map(Object.entries(node.allocatable))
  for (const { requests } of pods)
    for (const { resource, count } of requests) free.set(resource, (free.get(resource) ?? 0) - count)
  const { cpuMilli, memory } = hostLeft(node, pods)
  return {
    node,
    free,
    cpuLeft: cpuMilli,
    memoryLeft: memory,
    cpuKnown: node.room.cpuMilli !== undefined && node.room.cpuUsed !== undefined,
    memoryKnown: node.room.memory !== undefined && node.room.memoryUsed !== undefined,
    dra: isServedByDra(node),
    pods,
    isHeld,
    unsure: whyUnsure(node),
  }
}

/** Why what a node offers may not hold; undefined: it does. */
function whyUnsure({ name, ready, mig: { state } }: GpuNode): string | undefined {
  if (!ready) return `${name} is not ready`
  return state === 'pending' || state === 'rebooting' ? `${name} is being repartitioned` : undefined
}

/** A node that takes no pods, whoever asks: what is free there comes back with it. */
export const isClosed = ({ node, unsure }: Pick<OpenNode, 'node' | 'unsure'>): boolean =>
  !node.schedulable || unsure !== undefined

/** GPUs of a node that may be given to pods. */
export const soundGpus = ({ node }: OpenNode): readonly Gpu[] => node.gpus.filter(({ fault }) => fault === undefined)

/**
 * Devices that are free by what is known of their holders, by the resource that pods ask for: as many as Kubernetes' own
 * count leaves, and where that is fewer the first of them. Of whole GPUs none are free where all that are known are cut; any
 * other resource that none of its partitions goes by is not in it.
 */
export const freeDevices = onceFor((on: OpenNode): ReadonlyMap<string, readonly FreeDevice[]> => {
  const found = new Map<string, FreeDevice[]>(on.node.gpus.length === 0 ? [] : [[WHOLE_GPU_RESOURCE, []]])
  const down = downOn(on.node, on.isHeld)
  for (const gpu of on.node.gpus)
    for (const partition of gpu.partitions) {
      const resource = resourceOf(on.node, partition)
      const free = found.get(resource) ?? []
      found.set(resource, free)
      if (!down.has(gpu) && gpu.fault === undefined && !on.isHeld(partition.id))
        free.push({ partition, gpu, doubt: doubtOf(gpu) })
    }
  return found
})

/** Why a GPU that no pod holds may be in use all the same. */
export function doubtOf({ index, node, stuck, unrequestedSince }: Gpu): string | undefined {
  if (unrequestedSince !== undefined) return `something uses GPU ${index} of ${node} that no pod is known to hold`
  return stuck === true ? `whether GPU ${index} of ${node} is in use is unknown` : undefined
}
