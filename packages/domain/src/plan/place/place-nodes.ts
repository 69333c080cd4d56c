import { unsoundNode } from '../../cluster/soundness.ts'
import { partsOfSnapshot } from '../../analyze/gpu-parts.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Gpu, GpuId, GpuNode, PartitionId } from '../../cluster/node.ts'
import type { NodeRoom } from '../../cluster/scheduling.ts'
import type { Pod } from '../../cluster/workload.ts'
import type { Board } from '../../gpu/board.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import type { Layout } from '../../gpu/layout.ts'
import { compareText, mib } from '../../units.ts'
import { cutOf, isServedByDra } from '../../fleet/gpu-state.ts'
import type { PlaceGpu, PlaceNode } from './place-index-ask.ts'
import { placeGpuProblem, placeNodeProblem } from './place-node-problem.ts'

/** The part of a cluster that pods may be placed in, and what is left out of it. */
export type PlaceableNodes = { readonly nodes: readonly PlaceNode[]; readonly leftOut: readonly LeftOutGpu[] }

export type LeftOutGpu = { readonly node: string; readonly gpu: GpuId; readonly because: string }

/**
 * A cluster as placement sees it now: what running pods hold of GPUs, CPU and memory is taken, and nodes and GPUs that take
 * no pods are left out. So are GPUs that software divides into replicas, because the device plugin and not the scheduler
 * picks the GPU of a replica; and MIG devices that pods ask for as `nvidia.com/gpu`. Which of equal devices a pod holds is
 * only guessed where its allocation is inferred; how many it holds is known.
 */
export function placeNodes(snapshot: ClusterSnapshot): PlaceableNodes {
  const parts = partsOfSnapshot(snapshot)
  const facts: Facts = {
    held: new Set(snapshot.allocations.map(({ partition }) => partition)),
    down: new Set(parts.flatMap(({ kind, gpu }) => (kind === 'down' ? gpu : []))),
    podsOn: Map.groupBy(snapshot.pods.filter(isLiving), ({ node = '' }) => node),
  }
  const read = snapshot.nodes.toSorted((a, b) => compareText(a.name, b.name)).map((node) => readNode(node, facts))
  return { nodes: read.flatMap(({ nodes }) => nodes), leftOut: read.flatMap(({ leftOut }) => leftOut) }
}

type Facts = {
  readonly held: ReadonlySet<PartitionId>
  readonly down: ReadonlySet<GpuId>
  readonly podsOn: ReadonlyMap<string, readonly Pod[]>
}

function readNode(node: GpuNode, facts: Facts): PlaceableNodes {
  const model = modelOf(node)
  const board = boardFor(model)
  const reading: Reading = { node, model, board, dynamic: board !== undefined && cutsOnDemand(node), facts }
  const gpus: PlaceGpu[] = []
  const leftOut: LeftOutGpu[] = []
  for (const gpu of node.gpus.toSorted((a, b) => a.index - b.index)) {
    const read = readGpu(gpu, reading)
    if (typeof read === 'string') leftOut.push({ node: node.name, gpu: gpu.id, because: read })
    else gpus.push(read)
  }
  const found = { id: node.name, model, board, room: roomOf(node, facts), gpus }
  const wrong = placeNodeProblem(found)
  if (wrong === undefined) return { nodes: gpus.length === 0 ? [] : [found], leftOut }
  return { nodes: [], leftOut: [...leftOut, ...gpus.map(({ id: gpu }) => ({ node: node.name, gpu, because: wrong }))] }
}

type Reading = {
  readonly node: GpuNode
  readonly model: string
  readonly board: Board | undefined
  /** Whether a DRA driver makes instances at need. */
  readonly dynamic: boolean
  readonly facts: Facts
}

const modelOf = ({ model, gpus, product }: GpuNode): string =>
  model ?? gpus.find((gpu) => gpu.model !== undefined)?.model ?? product

/** A driver of DRA makes instances at need where it says where they start; others are there for good. */
function cutsOnDemand(node: GpuNode): boolean {
  const instances = node.gpus.flatMap(({ partitions }) => partitions.filter((partition) => partition.kind === 'mig'))
  return isServedByDra(node) && instances.every(({ placementSource }) => placementSource === 'reported')
}

function whyClosed(node: GpuNode): string | undefined {
  if (!node.ready) return 'its node is not ready'
  if (!node.schedulable) return 'its node is cordoned'
  if (node.mig.state === 'pending' || node.mig.state === 'rebooting') return 'its node is being repartitioned'
  return unsoundNode(node) === undefined ? undefined : 'its node is not sound'
}

function whyGpuClosed(
  { id, fault, stuck, unrequestedSince, model: own }: Gpu,
  { model, facts }: Reading,
): string | undefined {
  if (fault !== undefined) return 'it has a fault'
  if (stuck === true) return 'whether it is used is unknown'
  if (unrequestedSince !== undefined) return 'something uses it that no pod is known to hold'
  if (facts.down.has(id)) return 'its device plugin does not offer it'
  return own !== undefined && own !== model ? `it is ${own} on a node of ${model}` : undefined
}

/** The GPU as placement sees it; in words why it is left out. */
function readGpu(gpu: Gpu, reading: Reading): PlaceGpu | string {
  const closed = whyClosed(reading.node) ?? whyGpuClosed(gpu, reading)
  if (closed !== undefined) return closed
  if (gpu.partitions.some(({ kind }) => kind === 'shared')) return 'software divides it into replicas'
  const layout = cutOf(gpu)?.layout
  if (layout === undefined) return 'its MIG layout is unknown'
  const read = layout.length === 0 ? readUncut(gpu, reading) : readCut(gpu, layout, reading)
  const problem = typeof read === 'string' ? undefined : placeGpuProblem(reading.board, read)
  return problem === undefined ? read : `it ${problem}`
}

function readUncut({ id, migEnabled, partitions }: Gpu, { dynamic, facts }: Reading): PlaceGpu | string {
  const held = partitions.some((partition) => facts.held.has(partition.id))
  if (dynamic) return held ? { kind: 'dynamic', id, held: 'whole' } : { kind: 'dynamic', id }
  if (migEnabled) return { kind: 'cut', id, layout: [] }
  return partitions.length === 0 ? 'it is not offered to pods' : { kind: 'whole', id, held }
}

function readCut({ id, partitions }: Gpu, layout: Layout, { node, dynamic, facts }: Reading): PlaceGpu | string {
  if (node.mig.strategy === 'single') return 'pods ask for its MIG devices as if they were GPUs'
  if (node.sharing.kind !== 'none') return 'software divides its MIG devices into replicas'
  const instances = partitions.filter(({ kind }) => kind === 'mig')
  const held = layout.filter((_, order) => facts.held.has(instances[order]?.id ?? ''))
  return dynamic ? { kind: 'dynamic', id, held } : { kind: 'cut', id, layout, held }
}

function roomOf({ name, room }: GpuNode, { podsOn }: Facts): NodeRoom {
  const pods = podsOn.get(name) ?? []
  const cpuUsed = pods.reduce((sum, { scheduling }) => sum + scheduling.cpuMilli, room.cpuUsed ?? 0)
  const memoryUsed = pods.reduce((sum, { scheduling }) => sum + scheduling.memory, Number(room.memoryUsed ?? 0))
  return { ...room, cpuUsed, memoryUsed: mib(memoryUsed) }
}

/** The scheduler counts a pod against its node until it has ended. */
const isLiving = ({ phase }: Pod): boolean => phase !== 'Succeeded' && phase !== 'Failed'
