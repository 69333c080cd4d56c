import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { migPartitionId, type Gpu, type GpuId, type GpuNode, type Partition } from '../../cluster/node.ts'
import type { Pod, PodId } from '../../cluster/workload.ts'
import { countedFleet } from '../../fleet/counted-fleet.ts'
import { askOfPod, fits } from '../../fleet/fits.ts'
import { openFleet, podsOn, put, type Fleet } from '../../fleet/fleet.ts'
import { boardOf, cutOf } from '../../fleet/gpu-state.ts'
import { freeDevices, openNode, type OpenNode } from '../../fleet/open-nodes.ts'
import { profileOf } from '../../gpu/board.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import { placeAt } from '../../gpu/layout.ts'
import { placeable } from '../../gpu/occupancy.ts'
import { profileOfResource } from '../../gpu/profile-name.ts'
import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import { onceFor } from '../../once-for.ts'
import { compareText } from '../../units.ts'
import type { Destination } from '../words/action.ts'

/**
 * The working copy of a snapshot on which pods are bound: one for each snapshot, so that whoever changes it takes that back.
 */
export const schedulable = onceFor((snapshot: ClusterSnapshot): BindingFleet => {
  const fleet = openFleet(snapshot)
  return { ...fleet, boundTo: new Map(fleet.boundTo) }
})

/** A working copy whose bound pods may become more. */
type BindingFleet = Fleet & { readonly boundTo: Map<string, readonly PodId[]> }

/** Nodes as they were counted before anything was changed. */
const openNodes = onceFor(
  (snapshot: ClusterSnapshot): ReadonlyMap<string, OpenNode> =>
    new Map(countedFleet(snapshot).nodes.map((on) => [on.node.name, on])),
)

/** Where a pod may run beside its own rules; empty: anywhere. */
export type Bound = Pick<Destination, 'pool' | 'model'>

/**
 * The scheduler of Kubernetes with its own scoring, on the working copy of a plan: of the nodes that can take a pod the
 * least allocated one, by CPU and memory as NodeResourcesFit scores by default, among equals the one with the fewest pods.
 * Which device of a node a pod gets is not the scheduler's to say: that goes by a rank, and whoever plans tries several.
 * Groups that start together or not at all are started pod by pod, as the scheduler alone does.
 */
export class KubeScheduler {
  readonly #state: BindingFleet
  /** Nodes on which something has changed, counted anew once they are looked at. */
  readonly #changed = new Map<string, OpenNode | undefined>()
  readonly #rank: DeviceRank
  /** Whether another order of devices could have given a pod another one. */
  hadChoice = false

  /** On a copy that `schedulable` gave. */
  constructor(state: BindingFleet, rank: DeviceRank) {
    this.#state = state
    this.#rank = rank
  }

  /** What stands on these nodes has changed. */
  touch(names: Iterable<string>): void {
    for (const name of names) this.#changed.set(name, undefined)
  }

  /** Binds the pod where one of these nodes takes it; false where none does. */
  bind(pod: Pod, among: Iterable<string>, { pool, model }: Bound = ANYWHERE): boolean {
    const nodes = [...among].flatMap((name) => {
      const node = this.#state.nodes.get(name)
      const isMeant = (pool === '' || node?.pool === pool) && (model === '' || modelOf(node) === model)
      return node?.ready === true && isMeant ? this.#opened(node) : []
    })
    const { began: snapshot } = this.#state
    const fleet = { ...countedFleet(snapshot), nodes, isHeld: this.#isHeld, ahead: [] }
    const [best] = fits(fleet, askOfPod(pod), pod.namespace)
      .flatMap(({ on, count }) => (count > 0 ? on : []))
      .toSorted(
        (a, b) => loadOf(a) - loadOf(b) || a.pods.length - b.pods.length || compareText(a.node.name, b.node.name),
      )
    if (best !== undefined) this.#place(pod, best)
    return best !== undefined
  }

  #opened(node: GpuNode): OpenNode | [] {
    const { name } = node
    const first = openNodes(this.#state.began).get(name)
    if (!this.#changed.has(name) && first?.node === node) return first
    const known = this.#changed.get(name)
    const now = known?.node === node ? known : openNode(node, podsOn(this.#state, name), this.#isHeld)
    this.#changed.set(name, now)
    return now
  }

  readonly #isHeld = (partition: string): boolean => (this.#state.holders.get(partition) ?? []).length > 0

  #place(pod: Pod, on: OpenNode): void {
    const { name } = on.node
    const { id, workload } = pod
    const wanted = pod.requests.flatMap(({ resource, count }) => Array.from({ length: count }, () => resource))
    const held = wanted.flatMap((resource) => {
      const partition = this.#give(resource, on)
      if (partition === undefined) return []
      put(this.#state, this.#state.holders, [partition, [id]])
      // Once it runs, its exporter tells.
      return { partition, pod: id, workload, since: this.#state.began.takenAt, evidence: 'label' as const }
    })
    put(this.#state, this.#state.pods, [id, { ...pod, node: name, phase: 'Running' }])
    put(this.#state, this.#state.allocations, [id, held])
    const bound = this.#state.boundTo.get(name) ?? []
    put(this.#state, this.#state.boundTo, [name, [...new Set([...bound, id])]])
    this.touch([name])
  }

  /** The device that comes first, which a DRA driver may have to make; undefined where nobody can tell which it is. */
  #give(resource: string, on: OpenNode): string | undefined {
    const node = this.#state.nodes.get(on.node.name) ?? on.node
    const there = (freeDevices(on).get(resource) ?? []).filter(({ partition }) => !this.#isHeld(partition.id))
    const made = on.dra ? node.gpus.flatMap((gpu) => makeable(gpu, resource, this.#isHeld)) : []
    const spots = [...there.map(({ gpu, partition }): Spot => ({ gpu, device: partition, made: 0, start: 0 })), ...made]
    this.hadChoice ||= on.dra && spots.length > 1
    const held = ({ partitions }: Gpu): number => partitions.filter(({ id }) => this.#isHeld(id)).length
    const [first] = spots
      .map((spot) => ({ ...spot, rank: this.#rank(spot, held(spot.gpu)) }))
      .toSorted((a, b) => compareRanks(a.rank, b.rank))
    if (first === undefined || first.made === 0) return first?.device.id
    const instances = first.gpu.partitions.filter(({ kind }) => kind === 'mig')
    const cut = { ...first.gpu, partitions: [...instances, first.device] }
    const gpus = node.gpus.map((gpu) => (gpu.id === cut.id ? cut : gpu))
    put(this.#state, this.#state.nodes, [node.name, { ...node, gpus }])
    return first.device.id
  }
}

/** A device that a pod can get: one that is there, or one that is `made` for its claim, at a slice of its GPU. */
type Spot = { readonly gpu: Gpu; readonly device: Partition; readonly made: 0 | 1; readonly start: number }

/** What comes first of a node's devices, the least first; so many parts of its GPU are held. */
export type DeviceRank = (spot: Spot, held: number) => readonly number[]

/** A device plugin is held to the first. A DRA driver publishes devices in any order, so none of these may break a plan. */
export const DEVICE_RANKS: readonly DeviceRank[] = [
  ({ gpu, made, start }, held) => [made, held, gpu.index, start],
  ({ gpu, made, start }, held) => [held, gpu.index, made, -start],
  ({ gpu, made, start }) => [gpu.index, made, start],
  ({ gpu, made, start }) => [-gpu.index, made, -start],
  ({ gpu, made, start }, held) => [-held, gpu.index, made, -start],
]

const compareRanks = (a: readonly number[], b: readonly number[]): number =>
  a.map((each, at) => each - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0

const ANYWHERE: Bound = { pool: '', model: '' }
const modelOf = (node: GpuNode | undefined): string | undefined => node?.model ?? node?.product

/** Share of CPU and memory that is asked for, both added up; 0 where the node does not tell how much it has. */
const loadOf = ({ node: { room }, cpuLeft, memoryLeft }: OpenNode): number =>
  shareOf(room.cpuMilli, cpuLeft) + shareOf(room.memory, memoryLeft)

const shareOf = (all: number | undefined, left: number): number => (all === undefined || all <= 0 ? 0 : 1 - left / all)

/** What a claim could make of a GPU: all of one without instances, or one more instance wherever that fits. */
function makeable(gpu: Gpu, resource: string, isHeld: OpenNode['isHeld']): readonly Spot[] {
  const { id, partitions } = gpu
  const isWhole = partitions.some((each) => each.kind === 'whole' && isHeld(each.id))
  if (!gpu.migEnabled || gpu.fault !== undefined || isWhole) return []
  if (resource !== WHOLE_GPU_RESOURCE) return instancesOn(gpu, profileOfResource(resource) ?? '')
  const isCut = partitions.some(({ kind }) => kind === 'mig')
  return isCut ? [] : [{ gpu, device: { kind: 'whole', id, gpu: id }, made: 1, start: 0 }]
}

function instancesOn(gpu: Gpu, name: ProfileName): readonly Spot[] {
  const board = boardOf(gpu)
  const profile = board && profileOf(board, name)
  const layout = cutOf(gpu)?.layout
  if (board === undefined || profile === undefined || layout === undefined) return []
  return placeable(board, layout, profile).map((start) => {
    // No two that stand at once begin at one slice.
    const instance = `of-claim-${start}`
    const named = { id: migPartitionId(gpu.id, instance), gpu: gpu.id, instance }
    const device = { kind: 'mig', ...named, ...placeAt(profile, start), placementSource: 'reported' } as const
    return { gpu, device, made: 1, start }
  })
}

/** GPUs of a cluster that somebody holds a part of. */
export const heldGpus = ({ nodes, holders }: Fleet): ReadonlyMap<GpuId, PodId> =>
  new Map(
    [...nodes.values()].flatMap(({ gpus }) =>
      gpus.flatMap((gpu) => {
        const [holder] = gpu.partitions.flatMap(({ id }) => holders.get(id) ?? [])
        return holder === undefined ? [] : [[gpu.id, holder] as const]
      }),
    ),
  )
