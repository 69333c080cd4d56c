import type { GpuPart } from '../../analyze/gpu-parts.ts'
import type { HostLeft } from '../../cluster/host-left.ts'
import { unsoundNode } from '../../cluster/soundness.ts'
import type { GpuNode, Partition } from '../../cluster/node.ts'
import type { Pod } from '../../cluster/workload.ts'
import type { CountedFleet } from '../../fleet/counted-fleet.ts'
import { sureDevices } from '../../fleet/fits.ts'
import type { OpenNode } from '../../fleet/open-nodes.ts'
import { fitsIn, nodeRefusal } from '../../cluster/node-rules.ts'

/** A partition that nobody holds, on a node that takes pods and is not about to change. */
export type FreePartition = {
  readonly partition: Partition
  /** By which pods ask for it. */
  readonly resource: string
  readonly node: GpuNode
  readonly part: GpuPart
}

type FreeSources = {
  readonly fleet: CountedFleet
  readonly parts: readonly GpuPart[]
  /** `node/…`: nodes that are about to change. */
  readonly avoid?: ReadonlySet<string>
}

/**
 * Partitions that a pod gets for sure; space that is not cut is none.
 */
export function freePartitions({ fleet, parts }: Omit<FreeSources, 'avoid'>): readonly FreePartition[] {
  const partOf = new Map(parts.map((part) => [part.partition, part]))
  return fleet.nodes.flatMap((on) =>
    [...sureDevices(on)].flatMap(([resource, devices]) =>
      devices.flatMap((partition): FreePartition | [] => {
        const part = partOf.get(partition.id)
        return part === undefined ? [] : { partition, resource, node: on.node, part }
      }),
    ),
  )
}

/** What a pod looks for. */
export type RoomWish = {
  readonly pod: Pod
  readonly resource: string
  /** Work goes on as fast as before only on the same GPU model. Left out: any. */
  readonly model?: string
  /** Nodes that are not to be used. */
  readonly without?: ReadonlySet<string>
}

/**
 * Free partitions of sound nodes and what is left of their nodes' CPU and memory, used up as pods are given room. What is not known of a
 * node cannot bind.
 */
export class FreeRoom {
  readonly #free: Map<string, FreePartition[]>
  readonly #hosts = new Map<string, HostLeft>()
  readonly #left: ReadonlyMap<string, OpenNode>
  readonly #tenants: Map<string, readonly Pick<Pod, 'namespace'>[]>

  constructor(sources: FreeSources) {
    this.#left = new Map(sources.fleet.nodes.map((on) => [on.node.name, on]))
    const isOpen = ({ node }: FreePartition): boolean =>
      unsoundNode(node) === undefined && sources.avoid?.has(`node/${node.name}`) !== true
    this.#free = Map.groupBy(freePartitions(sources).filter(isOpen), ({ resource }) => resource)
    this.#tenants = Map.groupBy(
      sources.parts.filter(({ kind, series }) => kind === 'held' && series.kind === 'replica'),
      ({ gpu }) => gpu,
    )
  }

  /** What is free of a resource, in order of nodes. */
  offered(resource: string): readonly FreePartition[] {
    return this.#free.get(resource) ?? []
  }

  /** The first free partition on which the pod may start; undefined when there is none. */
  find({ pod, resource, model, without }: RoomWish): FreePartition | undefined {
    return this.offered(resource).find(
      ({ node, part, partition }) =>
        (model === undefined || part.model === model) &&
        without?.has(node.name) !== true &&
        nodeRefusal(pod.scheduling, node.room) === undefined &&
        this.hasHostFor(pod, node) &&
        this.#isOwn(partition, pod),
    )
  }

  take({ resource, partition, node }: FreePartition, pod: Pod): void {
    const rest = this.offered(resource).filter((free) => free.partition !== partition)
    this.#free.set(resource, rest)
    this.#tenants.set(partition.gpu, [...this.#tenantsOf(partition), pod])
    this.#useHost(node, pod, 1)
  }

  /** Gives back what was taken. */
  give(free: FreePartition, pod: Pod): void {
    this.#free.set(free.resource, [free, ...this.offered(free.resource)])
    const others = this.#tenantsOf(free.partition).filter((each) => each !== pod)
    this.#tenants.set(free.partition.gpu, others)
    this.#useHost(free.node, pod, -1)
  }

  #useHost(node: GpuNode, { scheduling }: Pod, times: 1 | -1): void {
    const { cpuMilli, memory } = this.#hostOf(node)
    const left = { cpuMilli: cpuMilli - times * scheduling.cpuMilli, memory: memory - times * scheduling.memory }
    this.#hosts.set(node.name, left)
  }

  /** Whether the node has CPU and memory for so many such pods. */
  hasHostFor({ scheduling }: Pod, node: GpuNode, pods = 1): boolean {
    const { cpuMilli, memory } = this.#hostOf(node)
    return fitsIn(pods * scheduling.cpuMilli, cpuMilli) && fitsIn(pods * scheduling.memory, memory)
  }

  /** Replicas of one GPU are not isolated from one another: one namespace only. */
  #isOwn(partition: Partition, { namespace }: Pod): boolean {
    return partition.kind !== 'shared' || this.#tenantsOf(partition).every((each) => each.namespace === namespace)
  }

  #tenantsOf({ gpu }: Partition): readonly Pick<Pod, 'namespace'>[] {
    return this.#tenants.get(gpu) ?? []
  }

  #hostOf({ name }: GpuNode): HostLeft {
    const on = this.#left.get(name)
    return this.#hosts.get(name) ?? { cpuMilli: on?.cpuLeft ?? Infinity, memory: on?.memoryLeft ?? Infinity }
  }
}
