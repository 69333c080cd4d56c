import type { ClusterSnapshot } from '../cluster/inventory.ts'
import type { HostLeft } from '../cluster/host-left.ts'
import type { GpuId, PartitionId } from '../cluster/node.ts'
import type { Pod, PodId } from '../cluster/workload.ts'
import { countedFleet } from './counted-fleet.ts'
import { IndexFrame } from './index-frame.ts'
import { IndexTables, capacityOfKind, matesText, optionsOfKind, type KindQuestion } from './index-tables.ts'
import { optionsInOrder, type Choice, type Option } from './options-in-order.ts'
import { spacesOf, type GpuSpace } from './gpu-space.ts'

/** So many GPUs or nodes may differ from the tables before these are made again. */
const MOST_CHANGED = 64

/**
 * A cluster while a repack is tried on it: a fork shares everything that it has not changed. What could be done with its
 * GPUs is looked up in tables that forks share too.
 */
export class IndexedFleet {
  readonly pods: ReadonlyMap<PodId, Pod>
  readonly frame: IndexFrame
  #tables: IndexTables
  #hostBase: readonly HostLeft[]
  #own: Map<number, GpuSpace>
  #hosts: Map<number, HostLeft>

  constructor(from: ClusterSnapshot | IndexedFleet) {
    if (from instanceof IndexedFleet) {
      from.#settle()
      this.frame = from.frame
      this.pods = from.pods
      this.#tables = from.#tables
      this.#hostBase = from.#hostBase
      this.#own = new Map(from.#own)
      this.#hosts = new Map(from.#hosts)
      return
    }
    const spaces = [...spacesOf(from).values()]
    this.frame = new IndexFrame(from, spaces)
    this.pods = this.frame.pods
    this.#tables = new IndexTables(this.frame, this.#numbered(spaces))
    const hosts = new Map(
      countedFleet(from).nodes.map(({ node, cpuLeft, memoryLeft }) => [
        node,
        { cpuMilli: cpuLeft, memory: memoryLeft },
      ]),
    )
    this.#hostBase = this.frame.nodes.map((node) => hosts.get(node) ?? UNKNOWN_HOST)
    this.#own = new Map()
    this.#hosts = new Map()
  }

  #numbered(spaces: readonly GpuSpace[]): GpuSpace[] {
    const numbered: GpuSpace[] = []
    for (const space of spaces) numbered[this.frame.gpuNumbers.get(space.gpu.id) ?? 0] = space
    return numbered
  }

  /** Puts many changes into new tables; the fleet means the same before and after. */
  #settle(): void {
    if (this.#own.size > MOST_CHANGED) {
      this.#tables = this.#tables.with(this.#own)
      this.#own = new Map()
    }
    if (this.#hosts.size > MOST_CHANGED) {
      this.#hostBase = this.#hostBase.map((left, node) => this.#hosts.get(node) ?? left)
      this.#hosts = new Map()
    }
  }

  fork(): IndexedFleet {
    return new IndexedFleet(this)
  }

  /** In the snapshot's order. */
  spaces(): GpuSpace[] {
    return this.frame.asRead.flatMap((gpu) => this.at(gpu) ?? [])
  }

  space(gpu: GpuId): GpuSpace | undefined {
    const number = this.frame.gpuNumbers.get(gpu)
    return number === undefined ? undefined : this.at(number)
  }

  /** By the GPU's number. */
  at(gpu: number): GpuSpace | undefined {
    return this.#own.get(gpu) ?? this.#tables.spaces[gpu]
  }

  set(space: GpuSpace): void {
    const number = this.frame.gpuNumbers.get(space.gpu.id)
    if (number !== undefined) this.#own.set(number, space)
  }

  /** GPUs that are to be cut otherwise than now, in the snapshot's order. */
  changed(): GpuSpace[] {
    return this.spaces().filter(({ changed }) => changed)
  }

  hostLeft(node: string): HostLeft {
    return this.hostAt(this.frame.nodeNumbers.get(node) ?? -1)
  }

  /** By the node's number. */
  hostAt(node: number): HostLeft {
    return this.#hosts.get(node) ?? this.#hostBase[node] ?? UNKNOWN_HOST
  }

  /** Takes what the pod asks of its node, or gives it back. */
  host(node: string, { scheduling }: Pod, sign: 1 | -1): void {
    const number = this.frame.nodeNumbers.get(node)
    if (number === undefined) return
    const { cpuMilli, memory } = this.hostAt(number)
    this.#hosts.set(number, {
      cpuMilli: cpuMilli - sign * scheduling.cpuMilli,
      memory: memory - sign * scheduling.memory,
    })
  }

  /** Takes a pod away from everything that it holds. */
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

  /** What can be done with one GPU. */
  optionsAt(gpu: number, question: KindQuestion): readonly Option[] {
    const space = this.at(gpu)
    return space === undefined ? [] : optionsOfKind(this.frame.kinds.of(space), question)
  }

  /** What can be done with all GPUs that are admitted, best first; ties by id, or by node and then id with a suffix. */
  options(question: KindQuestion, admits: (gpu: number) => boolean, suffix?: string): Generator<Choice & Option, void> {
    const order = suffix === undefined ? undefined : this.frame.byNode(suffix)
    return optionsInOrder({
      table: this.#tables.table(question, order),
      changed: this.#own,
      optionsOf: (gpu) => this.optionsAt(gpu, question),
      places: order?.places,
      admits,
    })
  }

  /** Of each node, how many more of something its GPUs could give at most. */
  capacities(name: string, of: (like: GpuSpace) => number): Int32Array {
    const { nodeOf, nodes, kinds } = this.frame
    const base = this.#tables.capacities(name, of)
    const sums = new Int32Array(nodes.length)
    for (let gpu = 0; gpu < base.length; gpu += 1) addTo(sums, nodeOf[gpu], base[gpu])
    for (const [gpu, space] of this.#own) {
      addTo(sums, nodeOf[gpu], capacityOfKind(kinds.of(space), name, of) - (base[gpu] ?? 0))
    }
    return sums
  }

  /** Equal for nodes with the same kinds of GPUs. */
  mates(node: number): string {
    const isAsBefore = (this.frame.gpusOf[node] ?? []).every((gpu) => !this.#own.has(gpu))
    return isAsBefore ? this.#tables.mates(node) : matesText(this.frame, node, (gpu) => this.at(gpu))
  }
}

const UNKNOWN_HOST: HostLeft = { cpuMilli: Infinity, memory: Infinity }

function addTo(sums: Int32Array, at = 0, by = 0): void {
  sums[at] = (sums[at] ?? 0) + by
}
