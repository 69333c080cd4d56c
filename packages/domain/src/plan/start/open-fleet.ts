import { hostLeft } from '../../cluster/host-left.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Gpu, GpuNode, PartitionId } from '../../cluster/node.ts'
import type { Pod } from '../../cluster/workload.ts'
import { isServedByDra } from '../state/gpu-state.ts'

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
  /** Why what is counted here may not hold; undefined: it does. */
  readonly unsure: string | undefined
}

export type OpenFleet = {
  readonly snapshot: ClusterSnapshot
  readonly nodes: readonly OpenNode[]
  readonly held: ReadonlySet<PartitionId>
  /** Label keys that some node carries. */
  readonly labelKeys: ReadonlySet<string>
  /** Pods that were not refused yet and may take a place at any moment. */
  readonly ahead: readonly Pod[]
}

/** The cluster of a snapshot as pods could be placed in it; made once for each snapshot. */
export function openFleet(snapshot: ClusterSnapshot): OpenFleet {
  const known = opened.get(snapshot)
  if (known !== undefined) return known
  const podsOn = Map.groupBy(snapshot.pods.filter(isLiving), ({ node = '' }) => node)
  const fleet: OpenFleet = {
    snapshot,
    nodes: snapshot.nodes.map((node) => openNode(node, podsOn.get(node.name) ?? [])),
    held: new Set(snapshot.allocations.map(({ partition }) => partition)),
    labelKeys: new Set(snapshot.nodes.flatMap(({ room }) => Object.keys(room.labels))),
    ahead: (podsOn.get('') ?? []).filter((pod) => pod.phase === 'Pending' && isUndecided(pod)),
  }
  opened.set(snapshot, fleet)
  return fleet
}

const opened = new WeakMap<ClusterSnapshot, OpenFleet>()

/** The scheduler counts a pod against its node until it has ended. */
const isLiving = ({ phase }: Pod): boolean => phase !== 'Succeeded' && phase !== 'Failed'

/** Neither refused by the scheduler nor held back before it. */
const isUndecided = ({ waiting, refusedAt }: Pod): boolean =>
  refusedAt === undefined && waiting?.reason !== 'SchedulingGated' && waiting?.reason !== 'Unschedulable'

function openNode(node: GpuNode, pods: readonly Pod[]): OpenNode {
  const free = new Map(Object.entries(node.allocatable))
  for (const { requests } of pods)
    for (const { resource, count } of requests) free.set(resource, (free.get(resource) ?? 0) - count)
  const { cpuMilli, memory } = hostLeft(node, pods)
  const { room } = node
  return {
    node,
    free,
    cpuLeft: cpuMilli,
    memoryLeft: memory,
    cpuKnown: room.cpuMilli !== undefined && room.cpuUsed !== undefined,
    memoryKnown: room.memory !== undefined && room.memoryUsed !== undefined,
    dra: isServedByDra(node),
    pods,
    unsure: unsureNode(node),
  }
}

function unsureNode({ name, ready, mig: { state } }: GpuNode): string | undefined {
  if (!ready) return `${name} is not ready`
  return state === 'pending' || state === 'rebooting' ? `${name} is being cut otherwise` : undefined
}

/** GPUs of a node that may be given to pods. */
export const soundGpus = ({ node }: OpenNode): readonly Gpu[] => node.gpus.filter(({ fault }) => fault === undefined)
