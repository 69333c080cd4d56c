import { hostLeft } from '../../cluster/host-left.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Gpu, GpuNode, PartitionId } from '../../cluster/node.ts'
import type { Pod } from '../../cluster/workload.ts'
import { isServedByDra } from '../../fleet/gpu-state.ts'

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

/** How many of some pods one node takes now, and what limits that. */
export type Slots = {
  readonly on: OpenNode
  /** 0 where `because` says why. */
  readonly count: number
  /** What the node has too little of, or which rule keeps the pods off; undefined where it takes at least one. */
  readonly because: Barrier | undefined
  /** Why the count may not hold; undefined: it does. */
  readonly unsure: string | undefined
}

export type Barrier = {
  readonly kind: 'rules' | 'taint' | 'repelled' | 'closed' | 'device' | 'cpu' | 'memory'
  readonly words: string
}

export type OpenFleet = {
  readonly snapshot: ClusterSnapshot
  readonly nodes: readonly OpenNode[]
  readonly held: ReadonlySet<PartitionId>
  /** Label keys that some node carries. */
  readonly labelKeys: ReadonlySet<string>
  /** Pods that were not refused yet and may take a place at any moment. */
  readonly ahead: readonly Pod[]
  /** What was found out about it while one question is answered: most changes of a job ask for the same again. */
  readonly known: FleetMemory
}

/** By what was asked, as text. */
export type FleetMemory = {
  readonly slots: Map<string, readonly Slots[]>
  readonly barriers: Map<string, readonly (Barrier | undefined)[]>
  readonly likes: Map<string, boolean>
  /** The fleet without pods of lower priority. */
  readonly without: Map<number, OpenFleet>
}

export const newMemory = (): FleetMemory => ({
  slots: new Map(),
  barriers: new Map(),
  likes: new Map(),
  without: new Map(),
})

/** The cluster of a snapshot as pods could be placed in it, for one question; made once for each snapshot. */
export function openStartFleet(snapshot: ClusterSnapshot): OpenFleet {
  const base = opened.get(snapshot) ?? readFleet(snapshot)
  opened.set(snapshot, base)
  return { ...base, known: newMemory() }
}

function readFleet(snapshot: ClusterSnapshot): Omit<OpenFleet, 'known'> {
  const podsOn = livingByNode(snapshot.pods)
  return {
    snapshot,
    nodes: snapshot.nodes.map((node) => openNode(node, podsOn.get(node.name) ?? [])),
    held: heldIn(snapshot),
    labelKeys: new Set(snapshot.nodes.flatMap(({ room }) => Object.keys(room.labels))),
    ahead: (podsOn.get('') ?? []).filter((pod) => pod.phase === 'Pending' && isUndecided(pod)),
  }
}

const opened = new WeakMap<ClusterSnapshot, Omit<OpenFleet, 'known'>>()

function heldIn({ allocations }: ClusterSnapshot): ReadonlySet<PartitionId> {
  return new Set(allocations.map(({ partition }) => partition))
}

function livingByNode(pods: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> {
  return Map.groupBy(pods.filter(isLiving), ({ node = '' }) => node)
}

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
  return state === 'pending' || state === 'rebooting' ? `${name} is being repartitioned` : undefined
}

/** GPUs of a node that may be given to pods. */
export const soundGpus = ({ node }: OpenNode): readonly Gpu[] => node.gpus.filter(({ fault }) => fault === undefined)
