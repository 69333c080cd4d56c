import { sharesOfParts, type SharesOf } from '../analyze/gpu-parts.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import { fitsIn, nodeRefusal } from '../cluster/node-rules.ts'
import type { Gpu, GpuId, GpuNode, Partition } from '../cluster/node.ts'
import { unsoundNode } from '../cluster/soundness.ts'
import type { GpuRequest, Pod } from '../cluster/workload.ts'
import { onceFor } from '../once-for.ts'
import type { CountedFleet } from './counted-fleet.ts'
import { sureDevices } from './fits.ts'
import type { OpenNode } from './open-nodes.ts'

/** A partition that nobody holds, on a node that takes pods and is not about to change. */
export type FreePartition = {
  readonly partition: Partition
  /** By which pods ask for it. */
  readonly resource: string
  readonly node: GpuNode
  readonly model: string
  /** Part of its GPU, 0 to 1. */
  readonly share: number
}

/** Partitions that a pod gets for sure; space that is not cut is none. */
export function freePartitions({ nodes }: Pick<CountedFleet, 'nodes'>): readonly FreePartition[] {
  const shares = sharesOfParts()
  return nodes.flatMap((on) => freeOn(on, shares))
}

function freeOn(on: OpenNode, shares: SharesOf): readonly FreePartition[] {
  const { node } = on
  const gpus = new Map(node.gpus.map((gpu) => [gpu.id, gpu]))
  return [...sureDevices(on)].flatMap(([resource, devices]) =>
    devices.flatMap((partition): FreePartition | [] => {
      const gpu = gpus.get(partition.gpu)
      if (gpu === undefined) return []
      const model = gpu.model ?? node.model ?? node.product
      const share = shares(gpu, model).partitions[gpu.partitions.indexOf(partition)] ?? 0
      return { partition, resource, node, model, share }
    }),
  )
}

/** What a pod looks for: all of it on one node. */
export type RoomWish = {
  readonly pod: Pod
  /** Left out: what the pod asks for. */
  readonly requests?: readonly GpuRequest[]
  /** Work goes on as fast as before only on the same GPU model. Left out: any. */
  readonly model?: string | undefined
  /** No smaller part of a GPU is given. */
  readonly share?: number | undefined
  readonly pool?: string
  /** Nodes that are not to be used. */
  readonly without?: ReadonlySet<string>
}

type FreeSources = {
  readonly fleet: Pick<CountedFleet, 'snapshot' | 'nodes'>
  /** `node/…`: nodes that are about to change. */
  readonly avoid?: ReadonlySet<string>
}

/**
 * Free partitions of sound nodes and what is left of their nodes' CPU and memory, used up as pods are given room. What is
 * not known of a node cannot bind.
 */
export class FreeRoom {
  readonly #nodes: ReadonlyMap<string, OpenNode>
  /** By node, then resource; read when it is first looked at. */
  readonly #free = new Map<string, Map<string, FreePartition[]>>()
  readonly #hosts = new Map<string, { cpuMilli: number; memory: number }>()
  readonly #snapshot: ClusterSnapshot
  readonly #shares = sharesOfParts()
  /** Namespaces that were given replicas of a GPU, each as often as it was. */
  readonly #given = new Map<GpuId, string[]>()

  constructor({ fleet, avoid }: FreeSources) {
    this.#snapshot = fleet.snapshot
    const open = fleet.nodes.filter(
      ({ node }) => unsoundNode(node) === undefined && avoid?.has(`node/${node.name}`) !== true,
    )
    this.#nodes = new Map(open.map((on) => [on.node.name, on]))
  }

  /** What is free of a resource, in order of nodes. */
  offered(resource: string): readonly FreePartition[] {
    return [...this.#nodes.values()].flatMap((on) => this.#freeOn(on, resource))
  }

  /** What is free on one GPU. */
  on({ id, node }: Pick<Gpu, 'id' | 'node'>): readonly FreePartition[] {
    const on = this.#nodes.get(node)
    if (on === undefined) return []
    return [...this.#read(on).values()].flat().filter(({ partition }) => partition.gpu === id)
  }

  #freeOn(on: OpenNode, resource: string): readonly FreePartition[] {
    // Nearly all nodes of a full fleet end here.
    if (!on.dra && (on.free.get(resource) ?? 0) <= 0) return []
    return this.#read(on).get(resource) ?? []
  }

  #read(on: OpenNode): Map<string, FreePartition[]> {
    const known = this.#free.get(on.node.name) ?? Map.groupBy(freeOn(on, this.#shares), ({ resource }) => resource)
    this.#free.set(on.node.name, known)
    return known
  }

  /** The first free partitions with which the pod may start; undefined where there are none, or it asks for none. */
  find(wish: RoomWish): readonly FreePartition[] | undefined {
    const { requests = wish.pod.requests } = wish
    for (const on of this.#nodes.values()) {
      const found = requests.map((request) => this.#seat(on, request, wish))
      if (found.length > 0 && found.every((each) => each !== undefined) && this.#takes(on, wish)) return found.flat()
    }
    return undefined
  }

  #takes({ node }: OpenNode, { pod, pool, without }: RoomWish): boolean {
    if (without?.has(node.name) === true || (pool !== undefined && pool !== node.pool)) return false
    return nodeRefusal(pod.scheduling, node.room) === undefined && this.noHostFor(pod, node) === undefined
  }

  #seat(on: OpenNode, { resource, count }: GpuRequest, wish: RoomWish): readonly FreePartition[] | undefined {
    const { model, share = 0, pod } = wish
    const found: FreePartition[] = []
    for (const free of this.#freeOn(on, resource)) {
      if (found.length >= count) break
      const isAlike = (model === undefined || free.model === model) && free.share >= share
      if (isAlike && this.#isOwn(free.partition, pod)) found.push(free)
    }
    return found.length < count ? undefined : found
  }

  /** What so many such pods find too little of on the node beside its GPUs, in a few words. */
  noHostFor({ scheduling }: Pod, { name }: GpuNode, pods = 1): string | undefined {
    const left = this.#hostOf(name)
    if (!fitsIn(pods * scheduling.cpuMilli, left.cpuMilli)) return 'too little CPU is free there'
    return fitsIn(pods * scheduling.memory, left.memory) ? undefined : 'too little memory is free there'
  }

  take(found: readonly FreePartition[], pod: Pod): void {
    for (const free of found) {
      const { resource, partition, node } = free
      const own = this.#free.get(node.name)?.get(resource)
      own?.splice(own.indexOf(free), 1)
      if (partition.kind === 'shared')
        this.#given.set(partition.gpu, [...(this.#given.get(partition.gpu) ?? []), pod.namespace])
    }
    this.#useHost(found, pod, 1)
  }

  /** Gives back what was taken. */
  give(found: readonly FreePartition[], pod: Pod): void {
    for (const free of found.toReversed()) {
      const { resource, partition, node } = free
      this.#free.get(node.name)?.get(resource)?.unshift(free)
      const given = this.#given.get(partition.gpu)
      given?.splice(given.indexOf(pod.namespace), 1)
    }
    this.#useHost(found, pod, -1)
  }

  /** CPU and memory are the pod's, not each partition's. */
  #useHost([first]: readonly FreePartition[], { scheduling }: Pod, times: 1 | -1): void {
    if (first === undefined) return
    const { cpuMilli, memory } = this.#hostOf(first.node.name)
    const left = { cpuMilli: cpuMilli - times * scheduling.cpuMilli, memory: memory - times * scheduling.memory }
    this.#hosts.set(first.node.name, left)
  }

  #hostOf(node: string): { cpuMilli: number; memory: number } {
    const on = this.#nodes.get(node)
    return this.#hosts.get(node) ?? { cpuMilli: on?.cpuLeft ?? Infinity, memory: on?.memoryLeft ?? Infinity }
  }

  /** Replicas of one GPU are not isolated from one another: one namespace only. */
  #isOwn(partition: Partition, { namespace: own }: Pod): boolean {
    if (!isShared(partition)) return true
    const there = sharers(this.#snapshot).get(partition.gpu) ?? []
    const given = this.#given.get(partition.gpu) ?? []
    return there.every(({ namespace }) => namespace === own) && given.every((namespace) => namespace === own)
  }
}

type Sharer = { readonly gpu: GpuId; readonly namespace: string }

/** Who holds replicas of a GPU. */
const sharers = onceFor(({ nodes, allocations }: ClusterSnapshot): ReadonlyMap<GpuId, readonly Sharer[]> => {
  const replicas = nodes.flatMap(({ gpus }) => gpus.flatMap((gpu) => gpu.partitions.filter(isShared)))
  const gpuOf = new Map(replicas.map(({ id, gpu }) => [id, gpu]))
  const held = allocations.flatMap(({ partition, pod }): Sharer | [] => {
    const gpu = gpuOf.get(partition)
    return gpu === undefined ? [] : { gpu, namespace: pod.slice(0, Math.max(0, pod.indexOf('/'))) }
  })
  return Map.groupBy(held, ({ gpu }) => gpu)
})

const isShared = ({ kind }: Partition): boolean => kind === 'shared'
