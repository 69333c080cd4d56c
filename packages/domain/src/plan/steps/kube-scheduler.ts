import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { migPartitionId, type Gpu, type GpuId, type GpuNode, type Partition } from '../../cluster/node.ts'
import type { GpuRequest, Pod, PodId } from '../../cluster/workload.ts'
import { countedFleet } from '../../fleet/counted-fleet.ts'
import { askOfPod, fits } from '../../fleet/fits.ts'
import { openFleet, podsOn, put, type Fleet } from '../../fleet/fleet.ts'
import { boardOf, cutOf } from '../../fleet/gpu-state.ts'
import { freeDevices, openNode, type OpenNode } from '../../fleet/open-nodes.ts'
import { profileOf } from '../../gpu/board.ts'
import { placeable } from '../../gpu/occupancy.ts'
import { profileOfResource } from '../../gpu/profile-name.ts'
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
 * Which device of a node a pod gets is not the scheduler's to say, so it is the one that suits a plan least: on the
 * emptiest GPU. Groups that start together or not at all are started pod by pod, as the scheduler alone does.
 */
export class KubeScheduler {
  readonly #state: BindingFleet
  /** Nodes on which something has changed, counted anew once they are looked at. */
  readonly #changed = new Map<string, OpenNode | undefined>()

  /** On a copy that `schedulable` gave. */
  constructor(state: BindingFleet) {
    this.#state = state
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
    const devices = pod.requests.flatMap((request) => this.#devices(request, on))
    const held = devices.map((partition) => ({
      partition,
      pod: pod.id,
      workload: pod.workload,
      since: this.#state.began.takenAt,
      // Once it runs, its exporter tells.
      evidence: 'telemetry' as const,
    }))
    put(this.#state, this.#state.pods, [pod.id, { ...pod, node: name, phase: 'Running' }])
    put(this.#state, this.#state.allocations, [pod.id, held])
    for (const partition of devices) put(this.#state, this.#state.holders, [partition, [pod.id]])
    const bound = this.#state.boundTo.get(name) ?? []
    put(this.#state, this.#state.boundTo, [name, [...new Set([...bound, pod.id])]])
    this.touch([name])
  }

  /** The devices that it gets; fewer where nobody can tell which. */
  #devices({ resource, count }: GpuRequest, on: OpenNode): readonly string[] {
    const held = (gpu: Gpu): number => gpu.partitions.filter(({ id }) => this.#isHeld(id)).length
    const there = (freeDevices(on).get(resource) ?? [])
      .toSorted((a, b) => held(a.gpu) - held(b.gpu) || a.gpu.index - b.gpu.index)
      .map(({ partition }) => partition.id)
    const made = on.dra && there.length < count ? this.#make(resource, on.node, count - there.length) : []
    return [...there, ...made].slice(0, count)
  }

  /** Instances that a DRA driver makes for a claim, on the emptiest GPUs that have room for one. */
  #make(resource: string, { name }: GpuNode, count: number): readonly string[] {
    const profile = profileOfResource(resource)
    return Array.from({ length: count }).flatMap(() => {
      const node = this.#state.nodes.get(name)
      const spots = (node?.gpus ?? [])
        .flatMap((gpu) => (profile === undefined ? [] : (instanceOn(gpu, profile) ?? [])))
        .toSorted((a, b) => a.gpu.partitions.length - b.gpu.partitions.length || a.gpu.index - b.gpu.index)
      const [spot] = spots
      if (node === undefined || spot === undefined) return []
      const gpus = node.gpus.map((gpu) => (gpu.id === spot.gpu.id ? withInstance(gpu, spot.made) : gpu))
      put(this.#state, this.#state.nodes, [name, { ...node, gpus }])
      return spot.made.id
    })
  }
}

const ANYWHERE: Bound = { pool: '', model: '' }
const modelOf = (node: GpuNode | undefined): string | undefined => node?.model ?? node?.product

/** Share of CPU and memory that is asked for, both added up; 0 where the node does not tell how much it has. */
const loadOf = ({ node: { room }, cpuLeft, memoryLeft }: OpenNode): number =>
  shareOf(room.cpuMilli, cpuLeft) + shareOf(room.memory, memoryLeft)

const shareOf = (all: number | undefined, left: number): number => (all === undefined || all <= 0 ? 0 : 1 - left / all)

type MigPartition = Extract<Partition, { readonly kind: 'mig' }>

function instanceOn(gpu: Gpu, name: string): { readonly gpu: Gpu; readonly made: MigPartition } | undefined {
  const board = boardOf(gpu)
  const profile = board === undefined ? undefined : profileOf(board, name)
  const layout = cutOf(gpu)?.layout
  if (!gpu.migEnabled || gpu.fault !== undefined || board === undefined || profile === undefined) return undefined
  const [start] = layout === undefined ? [] : placeable(board, layout, profile)
  if (start === undefined) return undefined
  const instance = `of-claim-${gpu.partitions.length}`
  const placement = { start, size: profile.size }
  const id = migPartitionId(gpu.id, instance)
  const made = {
    kind: 'mig',
    id,
    gpu: gpu.id,
    profile: profile.name,
    instance,
    placement,
    placementSource: 'reported',
  } as const
  return { gpu, made }
}

const withInstance = (gpu: Gpu, made: MigPartition): Gpu => ({
  ...gpu,
  partitions: [...gpu.partitions.filter(({ kind }) => kind === 'mig'), made],
})

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
