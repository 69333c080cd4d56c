import type { BlockView, GpuView } from '@septet/contract'
import {
  boardFor,
  brokenGpus,
  layoutOf,
  occupancy,
  onceFor,
  placementMask,
  type Allocation,
  type Board,
  type BrokenGpu,
  type Gpu,
  type JudgedSample,
  type Partition,
  type PlacedInstance,
  type Problem,
  QUALITY_REASONS,
  type QualityReason,
} from '@septet/domain'

import type { ClusterFacts, ClusterPicture } from '../../facts.ts'
import { nodePictures } from '../answering/node-pictures.ts'

/** What is needed to draw a GPU as a slice bar. */
export type BarContext = {
  readonly holders: ReadonlyMap<string, Allocation>
  /** Partitions whose holders are not shown. */
  readonly others: ReadonlySet<string>
  readonly samples: ReadonlyMap<string, JudgedSample>
  readonly idle: ReadonlySet<string>
  /** GPUs that their node withholds. */
  readonly withheld: ReadonlyMap<string, Problem>
}

/** What is broken in a picture, whoever holds it. */
export const brokenIn: (picture: ClusterPicture) => readonly BrokenGpu[] = onceFor((picture) =>
  nodePictures(picture).flatMap(brokenOn),
)
const brokenOn = onceFor(brokenGpus)

const holdersIn = onceFor(
  ({ allocations }: ClusterPicture): BarContext['holders'] =>
    new Map(allocations.map((allocation) => [allocation.partition, allocation])),
)

const withheldIn = onceFor(
  (picture: ClusterPicture): BarContext['withheld'] =>
    new Map(brokenIn(picture).flatMap(({ gpu, node, problem }) => (node.ready ? [[gpu.id, problem]] : []))),
)

export const barContext = (facts: ClusterFacts, picture: ClusterPicture): BarContext => ({
  holders: holdersIn(picture),
  others: picture.heldByOthers ?? new Set(),
  samples: facts.samples(),
  idle: facts.idle(),
  withheld: withheldIn(picture),
})

/** One GPU as a slice bar: blocks at their real or inferred placements, and what can still be cut or is stranded between them. */
export function gpuView(gpu: Gpu, context: BarContext): GpuView {
  const board = gpu.model === undefined ? undefined : boardFor(gpu.model)
  const mode = modeOf(gpu)
  const slots = mode === 'mig' ? (board?.memorySlices ?? gpu.partitions.length) : (board?.memorySlices ?? 1)
  return {
    id: gpu.id,
    index: gpu.index,
    model: gpu.model ?? 'unknown board',
    mode,
    slots,
    blocks: mode === 'mig' ? migBlocks(gpu, board, context) : wholeBlocks(gpu, slots, context),
    fault: faultOf(gpu, context),
  }
}

const faultOf = ({ id, fault }: Gpu, { withheld }: BarContext): Problem | null => fault ?? withheld.get(id) ?? null

const modeOf = (gpu: Gpu): GpuView['mode'] =>
  gpu.migEnabled ? 'mig' : gpu.partitions.some((partition) => partition.kind === 'shared') ? 'shared' : 'whole'

const wholeBlocks = (gpu: Gpu, slots: number, context: BarContext): BlockView[] =>
  gpu.partitions.map((partition) => block({ partition, gpu }, { start: 0, size: slots }, context))

function migBlocks(gpu: Gpu, board: Board | undefined, context: BarContext): BlockView[] {
  const blocks: BlockView[] = []
  const placed: PlacedInstance[] = []
  for (const [index, partition] of gpu.partitions.entries()) {
    if (partition.kind !== 'mig') continue
    if (partition.placement !== undefined) placed.push({ profile: partition.profile, placement: partition.placement })
    blocks.push(block({ partition, gpu }, partition.placement ?? { start: index, size: 1 }, context))
  }
  const complete = placed.length === blocks.length
  const gaps = board !== undefined && complete ? gapsOf(board, placed) : []
  return [...blocks, ...gaps].toSorted((a, b) => a.start - b.start)
}

type Drawn = { readonly partition: Partition; readonly gpu: Gpu }

function block({ partition, gpu }: Drawn, at: { start: number; size: number }, context: BarContext): BlockView {
  if (context.others.has(partition.id)) return otherBlock(partition, at)
  const allocation = context.holders.get(partition.id)
  const sample = context.samples.get(partition.id)
  const busy = sample?.busy
  return {
    ...at,
    kind: kindOf({ held: allocation !== undefined, busy, idle: context.idle.has(partition.id) }),
    profile: partition.kind === 'mig' ? partition.profile : null,
    placement: partition.kind === 'mig' ? partition.placementSource : 'reported',
    busy: busy ?? null,
    holder: allocation?.workload ?? null,
    because: allocation === undefined || busy !== undefined ? null : QUALITY_REASONS[reasonOf(gpu, sample, context)],
  }
}

/** Held, by somebody whom the caller may not see: that it is taken is told, as it is a part of a GPU that they share. */
const otherBlock = (partition: Partition, at: { start: number; size: number }): BlockView => ({
  ...at,
  kind: 'others',
  profile: partition.kind === 'mig' ? partition.profile : null,
  placement: partition.kind === 'mig' ? partition.placementSource : 'reported',
  busy: null,
  holder: null,
  because: 'Held in a namespace you cannot see.',
})

function kindOf(now: { held: boolean; busy: number | undefined; idle: boolean }): BlockView['kind'] {
  if (!now.held) return 'free'
  if (now.idle) return 'idle'
  return now.busy === undefined ? 'unknown' : 'busy'
}

/** Why the busy of a held partition is unknown. What is told of a shared GPU as a whole says nothing of one pod. */
function reasonOf(gpu: Gpu, sample: JudgedSample | undefined, { samples }: BarContext): QualityReason {
  if (sample !== undefined && sample.quality.kind !== 'measured') return sample.quality.reason
  const isTold = samples.has(gpu.id) || gpu.partitions.some(({ id }) => samples.has(id))
  if (!isTold || modeOf(gpu) === 'whole') return 'no-telemetry'
  return gpu.migEnabled ? 'missing-instance' : 'not-attributable'
}

/** Memory slices of a cut GPU that no profile can reach while its layout stays; 0 where the layout is not known. */
export function strandedMemorySlices(gpu: Gpu): number {
  const board = gpu.model === undefined || !gpu.migEnabled ? undefined : boardFor(gpu.model)
  const layout = board === undefined ? undefined : layoutOf(gpu, board)
  if (board === undefined || layout === undefined) return 0
  return gapsOf(board, layout).reduce((sum, { kind, size }) => sum + (kind === 'stranded' ? size : 0), 0)
}

/** Runs of memory slices that no instance covers, told apart by whether a profile can still be placed on them. */
function gapsOf(board: Board, layout: readonly PlacedInstance[]): BlockView[] {
  const taken = occupancy(layout)
  const usable = board.profiles
    .flatMap(({ starts, size }) => starts.map((start) => placementMask({ start, size })))
    .filter((mask) => (mask & taken) === 0)
    .reduce((all, mask) => all | mask, 0)
  const gaps: BlockView[] = []
  for (let slot = 0; slot < board.memorySlices; slot += 1) {
    const bit = 1 << slot
    if ((taken & bit) !== 0) continue
    const kind = (usable & bit) === 0 ? 'stranded' : 'uncut'
    const last = gaps.at(-1)
    if (last?.kind === kind && last.start + last.size === slot) gaps[gaps.length - 1] = { ...last, size: last.size + 1 }
    else gaps.push(gap(kind, slot))
  }
  return gaps
}

const gap = (kind: 'uncut' | 'stranded', start: number): BlockView => ({
  kind,
  start,
  size: 1,
  profile: null,
  placement: 'reported',
  busy: null,
  holder: null,
  because: null,
})
