import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Gpu, GpuId, GpuNode, PartitionId } from '../../cluster/node.ts'
import type { Pod, PodId } from '../../cluster/workload.ts'
import type { Board } from '../../gpu/board.ts'
import type { Placement, ProfileName } from '../../gpu/geometry.ts'
import { boardOf, cutOf, isServedByDra, resourceOf } from '../action/gpu-state.ts'
import type { Actuator } from '../layout/layout-problem.ts'
import { WHOLE_GPU } from '../layout/layout-problem.ts'

/** One GPU with everything that a pod could hold of it. Immutable: a change makes a new one. */
export type RepackSpace = {
  readonly gpu: Gpu
  readonly node: GpuNode
  /** Undefined where MIG cannot cut it, or where nobody knows what it is cut into. */
  readonly board: Board | undefined
  readonly actuator: Actuator
  /** Whether pods may come: the node takes pods and the GPU has no fault. */
  readonly open: boolean
  readonly slots: readonly RepackSlot[]
  /** Whether it is to be cut otherwise than now. */
  readonly changed: boolean
}

export type RepackSlot = {
  /** `WHOLE_GPU` for a whole GPU and for a replica. */
  readonly profile: ProfileName
  readonly resource: string
  /** Undefined for what is no MIG device. */
  readonly placement: Placement | undefined
  /** Undefined: made by the plan. */
  readonly partition: PartitionId | undefined
  readonly shared: boolean
  readonly pods: readonly PodId[]
}

/** What is left of a node beside GPUs; undefined: not known, so it cannot bind. */
export type HostLeft = { readonly cpuMilli: number | undefined; readonly memory: number | undefined }

/** A cluster while a repack is tried on it: a fork shares everything that it has not changed. */
export class RepackFleet {
  readonly pods: ReadonlyMap<PodId, Pod>
  #base: ReadonlyMap<GpuId, RepackSpace>
  #hostBase: ReadonlyMap<string, HostLeft>
  #own: Map<GpuId, RepackSpace>
  #hosts: Map<string, HostLeft>

  constructor(from: ClusterSnapshot | RepackFleet) {
    if (from instanceof RepackFleet) {
      this.pods = from.pods
      this.#base = from.#base
      this.#hostBase = from.#hostBase
      this.#own = new Map(from.#own)
      this.#hosts = new Map(from.#hosts)
      return
    }
    this.pods = new Map(from.pods.map((pod) => [pod.id, pod]))
    this.#base = spacesOf(from)
    this.#hostBase = hostsOf(from)
    this.#own = new Map()
    this.#hosts = new Map()
  }

  fork(): RepackFleet {
    return new RepackFleet(this)
  }

  /** In the snapshot's order. */
  spaces(): RepackSpace[] {
    return [...this.#base.values()].map((space) => this.#own.get(space.gpu.id) ?? space)
  }

  space(gpu: GpuId): RepackSpace | undefined {
    return this.#own.get(gpu) ?? this.#base.get(gpu)
  }

  set(space: RepackSpace): void {
    this.#own.set(space.gpu.id, space)
  }

  changed(): RepackSpace[] {
    return [...this.#base.keys()].flatMap((gpu) => this.#own.get(gpu) ?? [])
  }

  hostLeft(node: string): HostLeft {
    return this.#hosts.get(node) ?? this.#hostBase.get(node) ?? { cpuMilli: undefined, memory: undefined }
  }

  /** Takes what the pod asks of its node, or gives it back. */
  host(node: string, { scheduling }: Pod, sign: 1 | -1): void {
    const { cpuMilli, memory } = this.hostLeft(node)
    this.#hosts.set(node, {
      cpuMilli: cpuMilli === undefined ? undefined : cpuMilli - sign * scheduling.cpuMilli,
      memory: memory === undefined ? undefined : memory - sign * scheduling.memory,
    })
  }

  /** Takes a pod away from everything that it holds; returns what that was. */
  lift(pod: PodId, held: readonly { readonly gpu: GpuId; readonly partition: PartitionId }[]): void {
    for (const { gpu } of held) {
      const space = this.space(gpu)
      if (space === undefined) continue
      const slots = space.slots.map((slot) => ({ ...slot, pods: slot.pods.filter((each) => each !== pod) }))
      this.set({ ...space, slots })
    }
    const known = this.pods.get(pod)
    if (known?.node !== undefined) this.host(known.node, known, -1)
  }
}

function spacesOf(snapshot: ClusterSnapshot): Map<GpuId, RepackSpace> {
  const holders = Map.groupBy(snapshot.allocations, ({ partition }) => partition)
  const spaces = new Map<GpuId, RepackSpace>()
  for (const node of snapshot.nodes) {
    const actuator = isServedByDra(node) ? 'dra' : 'mig-manager'
    for (const gpu of node.gpus) {
      const cut = cutOf(gpu)
      let next = 0
      const slots = gpu.partitions.map((partition): RepackSlot => {
        const pods = (holders.get(partition.id) ?? []).map(({ pod }) => pod)
        const common = { partition: partition.id, resource: resourceOf(node, partition), pods }
        if (partition.kind !== 'mig') {
          return { ...common, profile: WHOLE_GPU, placement: undefined, shared: partition.kind === 'shared' }
        }
        const placement = cut?.layout[next]?.placement
        next += 1
        return { ...common, profile: partition.profile, placement, shared: false }
      })
      const open = node.ready && node.schedulable && gpu.fault === undefined
      const board = cut === undefined ? undefined : boardOf(gpu)
      spaces.set(gpu.id, { gpu, node, board, actuator, open, slots, changed: false })
    }
  }
  return spaces
}

function hostsOf({ nodes, pods }: ClusterSnapshot): Map<string, HostLeft> {
  const onNode = Map.groupBy(pods, ({ node }) => node)
  return new Map(
    nodes.map(({ name, room }) => {
      const own = onNode.get(name) ?? []
      const cpu = own.reduce((sum, { scheduling }) => sum + scheduling.cpuMilli, room.cpuUsed ?? 0)
      const memory = own.reduce((sum, { scheduling }) => sum + scheduling.memory, Number(room.memoryUsed ?? 0))
      return [
        name,
        {
          cpuMilli: room.cpuMilli === undefined ? undefined : room.cpuMilli - cpu,
          memory: room.memory === undefined ? undefined : room.memory - memory,
        },
      ]
    }),
  )
}
