import type { ClusterSnapshot } from '../cluster/inventory.ts'
import type { Gpu, GpuId, GpuNode, Partition, PartitionId } from '../cluster/node.ts'
import type { PodId } from '../cluster/workload.ts'
import type { Actuator } from '../gpu/actuator.ts'
import type { Board } from '../gpu/board.ts'
import type { Placement, ProfileName } from '../gpu/geometry.ts'
import type { Layout } from '../gpu/layout.ts'
import { unsoundGpu, unsoundNode } from '../cluster/soundness.ts'
import { WHOLE_GPU } from '../gpu/whole-gpu.ts'
import { countedFleet } from './counted-fleet.ts'
import { sureDevices } from './fits.ts'
import { boardOf, cutOf, resourceOf, whyNoCuts } from './gpu-state.ts'
import { isClosed } from './open-nodes.ts'

/** One GPU with everything that a pod could hold of it. Immutable: a change makes a new one. */
export type GpuSpace = {
  readonly gpu: Gpu
  readonly node: GpuNode
  /** Undefined where nothing cuts it: it has no MIG, what it is cut into is unknown, or mig-manager cannot change its node. */
  readonly board: Board | undefined
  readonly actuator: Actuator
  /** Whether pods may come: the node takes pods, and both are sound. */
  readonly open: boolean
  readonly slots: readonly GpuSlot[]
  /** Whether it is to be cut otherwise than now. */
  readonly changed: boolean
}

export type GpuSlot = {
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

/** GPUs of one model and pool under one actuator are interchangeable: a pod moves only within its class. */
export const supplyClassOf = ({ gpu, node, actuator }: GpuSpace): string =>
  `${gpu.model}${gpu.olderNames === true ? ' by older names' : ''}/${node.pool}/${actuator}`

/** Every GPU of a snapshot as it is, in its order. */
export function spacesOf(snapshot: ClusterSnapshot): Map<GpuId, GpuSpace> {
  const reader = new SlotReader(snapshot)
  const spaces = new Map<GpuId, GpuSpace>()
  for (const on of countedFleet(snapshot).nodes) {
    const { node } = on
    const actuator = on.dra ? 'dra' : 'mig-manager'
    const takesPods = !isClosed(on) && unsoundNode(node) === undefined
    const sure = new Set([...sureDevices(on).values()].flat().map(({ id }) => id))
    const mayBeCut = whyNoCuts(node) === undefined
    for (const gpu of node.gpus) {
      const cut = cutOf(gpu)
      const slots = reader.slotsOf(node, gpu, cut?.layout ?? []).map((slot) => asCounted(slot, sure))
      const open = takesPods && unsoundGpu(gpu) === undefined
      const board = cut === undefined || !mayBeCut ? undefined : boardOf(gpu)
      spaces.set(gpu.id, { gpu, node, board, actuator, open, slots, changed: false })
    }
  }
  return spaces
}

/** What nobody holds and Kubernetes does not count as free is given to nobody as it is. */
const asCounted = (slot: GpuSlot, sure: ReadonlySet<PartitionId>): GpuSlot =>
  slot.pods.length > 0 || slot.partition === undefined || sure.has(slot.partition) ? slot : { ...slot, resource: '' }

const NOBODY: readonly PodId[] = []

/** Reads slots; what is the same for many GPUs is looked up once. */
class SlotReader {
  readonly #holders = new Map<PartitionId, PodId[]>()
  readonly #resources = new Map<ProfileName, string>()

  constructor({ allocations }: ClusterSnapshot) {
    for (const { partition, pod } of allocations) {
      const own = this.#holders.get(partition)
      if (own === undefined) this.#holders.set(partition, [pod])
      else own.push(pod)
    }
  }

  slotsOf(node: GpuNode, { partitions }: Gpu, layout: Layout): GpuSlot[] {
    let next = 0
    return partitions.map((partition): GpuSlot => {
      const pods = this.#holders.get(partition.id) ?? NOBODY
      const { id, kind } = partition
      if (kind !== 'mig') {
        const resource = resourceOf(node, partition)
        return { profile: WHOLE_GPU, resource, placement: undefined, partition: id, shared: kind === 'shared', pods }
      }
      const placement = layout[next]?.placement
      next += 1
      const { profile } = partition
      return { profile, resource: this.#resourceOf(node, partition), placement, partition: id, shared: false, pods }
    })
  }

  #resourceOf(node: GpuNode, partition: Extract<Partition, { kind: 'mig' }>): string {
    if (node.mig.strategy === 'single') return resourceOf(node, partition)
    const known = this.#resources.get(partition.profile) ?? resourceOf(node, partition)
    this.#resources.set(partition.profile, known)
    return known
  }
}
