import type { ClusterSnapshot } from '../cluster/inventory.ts'
import type { Gpu, Partition } from '../cluster/node.ts'
import { type Board, plainProfiles, profileOf } from '../gpu/board.ts'
import { strandedShare, structuralShare } from '../gpu/free-space.ts'
import { boardFor } from '../gpu/known-boards.ts'
import type { Layout } from '../gpu/layout.ts'
import { freeMemorySlices, placeableTogether } from '../gpu/occupancy.ts'
import { compareText } from '../units.ts'
import { type Figure, ratioFigure, unknown } from './figure.ts'
import { layoutKey } from './gpu-parts.ts'
import { kindOf, sumUsage, sumUsageBy } from './usage-sum.ts'
import type { UsageTotal } from './usage.ts'
import { busyOfAllocated } from './utilization.ts'

/** Four numbers, never one blended: there is no agreed definition of "MIG efficiency". */
export type MigEfficiency = {
  /** Compute slices in instances / compute slices of ready GPUs in MIG mode. Now. */
  readonly sliceCoverage: Figure
  /** Compute slices of instances held by pods / compute slices in instances. Now. */
  readonly sliceAllocation: Figure
  /** Σ share × busy over held instances / Σ share of held, measured instances. Over the window. */
  readonly sliceBusy: Figure
  /** The same per model, of those whose instances were held; by model. Empty where totals are not grouped by model. */
  readonly busyByModel: ReadonlyArray<{ readonly model: string; readonly busy: Figure }>
  /**
   * How much of the free memory slices a profile cannot use, over all plain profiles: 1 − Σ placeable × size / Σ free.
   * Free memory slices are those in no instance. Now. 0 when nothing is free.
   */
  readonly fragmentation: Figure
  /** The same per model and profile; by model, then profile. */
  readonly byProfile: readonly ProfileFragmentation[]
  /** Compute slices that these profiles strand wherever they sit (3g + 3g: one of seven). By construction, not disorder. */
  readonly structurallyStranded: number
  /** Compute slices that are stranded only because of where the instances sit. */
  readonly strandedByPlacement: number
}

type ProfileFragmentation = {
  readonly model: string
  readonly profile: string
  /** How many more would fit now into what is in no instance. */
  readonly placeable: number
  readonly fragmentation: Figure
}

/** The four numbers from a snapshot and from totals that are grouped by kind and profile. */
export function migEfficiency(
  snapshot: Pick<ClusterSnapshot, 'nodes' | 'allocations'>,
  totals: Iterable<UsageTotal>,
): MigEfficiency {
  const held = new Set(snapshot.allocations.map(({ partition }) => partition))
  const used = [...totals]
  const slices = { board: 0, instances: 0, held: 0 }
  const layouts = new Map<string, CutGpus>()
  for (const { gpu, board, model } of readyMigGpus(snapshot)) {
    slices.board += board.computeSlices
    for (const partition of gpu.partitions) {
      const size = computeSlicesOf(partition, board)
      slices.instances += size
      slices.held += held.has(partition.id) ? size : 0
    }
    const key = `${model} ${layoutKey(gpu)}`
    const alike = layouts.get(key) ?? { model, board, layout: layoutOf(gpu, board), gpus: 0 }
    layouts.set(key, alike)
    alike.gpus += 1
  }
  const cut = [...layouts.values()]
  return {
    sliceCoverage: ratioFigure(slices.instances, slices.board, { because: NO_MIG }),
    sliceAllocation: ratioFigure(slices.held, slices.instances, { because: NO_INSTANCES }),
    sliceBusy: sliceBusy(used),
    busyByModel: busyByModel(used),
    ...fragmentationOf(freeSpaces(cut)),
    structurallyStranded: structuralSlices(cut),
    strandedByPlacement: misplacedSlices(cut),
  }
}

/** Compute slices that are stranded on each ready node, for whichever reason; by the node's name. */
export function strandedSlices(nodes: ClusterSnapshot['nodes']): ReadonlyMap<string, number> {
  const known = new Map<string, number>()
  const ofGpu = ({ gpu, board, model }: { gpu: Gpu; board: Board; model: string }): number => {
    const key = `${model} ${layoutKey(gpu)}`
    const stranded = known.get(key) ?? strandedIn([{ model, board, layout: layoutOf(gpu, board), gpus: 1 }])
    known.set(key, stranded)
    return stranded
  }
  return new Map(
    nodes.map((node) => [node.name, readyMigGpus({ nodes: [node] }).reduce((sum, gpu) => sum + ofGpu(gpu), 0)]),
  )
}

const strandedIn = (cut: readonly CutGpus[]): number => structuralSlices(cut) + misplacedSlices(cut)
const structuralSlices = (cut: readonly CutGpus[]): number => sumSlices(cut, structuralShare)
const misplacedSlices = (cut: readonly CutGpus[]): number =>
  sumSlices(cut, (board, layout) => strandedShare(board, layout) - structuralShare(board, layout))

/** GPUs of one model that are cut alike. */
type CutGpus = {
  readonly model: string
  readonly board: Board
  /** Undefined when a placement is not known. */
  readonly layout: Layout | undefined
  gpus: number
}

const sumSlices = (cut: readonly CutGpus[], share: (board: Board, layout: Layout) => number): number =>
  cut.reduce(
    (sum, { board, layout, gpus }) =>
      sum + (layout === undefined ? 0 : Math.round(share(board, layout) * board.computeSlices) * gpus),
    0,
  )

/** Slice busy: Σ share × busy over held instances / Σ share of the measured ones. From totals by kind and profile. */
function sliceBusy(totals: Iterable<UsageTotal>): Figure {
  const instances = [...totals].filter((total) => kindOf(total) === 'held' && (total.key.profile ?? '') !== '')
  if (instances.length === 0) return unknown('No pod held a MIG device in this window.')
  return busyOfAllocated(sumUsage(instances))
}

function busyByModel(totals: readonly UsageTotal[]): MigEfficiency['busyByModel'] {
  const sums = sumUsageBy(totals, (total) =>
    kindOf(total) === 'held' && (total.key.profile ?? '') !== '' ? total.key.model : undefined,
  )
  return [...sums]
    .map(([model, sum]) => ({ model, busy: busyOfAllocated(sum) }))
    .toSorted((a, b) => compareText(a.model, b.model))
}

/** GPUs in MIG mode on ready nodes whose geometry is known, with it. */
function readyMigGpus({ nodes }: Pick<ClusterSnapshot, 'nodes'>): Array<{ gpu: Gpu; board: Board; model: string }> {
  return nodes
    .filter(({ ready }) => ready)
    .flatMap(({ gpus }) => gpus)
    .flatMap((gpu) => {
      const board = gpu.model === undefined || !gpu.migEnabled ? undefined : boardFor(gpu.model)
      return board === undefined ? [] : [{ gpu, board, model: gpu.model ?? '' }]
    })
}

/** The instances of a GPU with their placements; undefined when a placement is not known. */
export function layoutOf({ partitions }: Gpu, board: Board): Layout | undefined {
  const layout = partitions.flatMap((partition) =>
    partition.kind === 'mig' && partition.placement !== undefined && profileOf(board, partition.profile) !== undefined
      ? [{ profile: partition.profile, placement: partition.placement }]
      : [],
  )
  return layout.length === partitions.length ? layout : undefined
}

const computeSlicesOf = (partition: Partition, board: Board): number =>
  partition.kind === 'mig' ? (profileOf(board, partition.profile)?.computeSlices ?? 0) : 0

/** Free memory slices, and what one profile can have of them. */
type FreeSpace = {
  readonly model: string
  readonly profile: string
  placeable: number
  usable: number
  free: number
}

function freeSpaces(cut: readonly CutGpus[]): ReadonlyMap<string, FreeSpace> {
  const spaces = new Map<string, FreeSpace>()
  for (const { model, board, layout, gpus } of cut) {
    if (layout === undefined) continue
    const free = freeMemorySlices(board, layout)
    for (const profile of plainProfiles(board)) {
      const key = `${model}\u0000${profile.name}`
      const space = spaces.get(key) ?? { model, profile: profile.name, placeable: 0, usable: 0, free: 0 }
      const placeable = placeableTogether(board, layout, profile) * gpus
      space.placeable += placeable
      space.usable += placeable * profile.size
      space.free += free * gpus
      spaces.set(key, space)
    }
  }
  return spaces
}

function fragmentationOf(spaces: ReadonlyMap<string, FreeSpace>): Pick<MigEfficiency, 'fragmentation' | 'byProfile'> {
  const sorted = [...spaces.values()].toSorted(
    (a, b) => compareText(a.model, b.model) || compareText(a.profile, b.profile),
  )
  const usable = sorted.reduce((sum, space) => sum + space.usable, 0)
  const free = sorted.reduce((sum, space) => sum + space.free, 0)
  return {
    fragmentation: sorted.length === 0 ? unknown(NO_MIG) : unusableShare(usable, free),
    byProfile: sorted.map(({ model, profile, placeable, ...space }) => ({
      model,
      profile,
      placeable,
      fragmentation: unusableShare(space.usable, space.free),
    })),
  }
}

/** 1 − usable / free; 0 when nothing is free. */
const unusableShare = (usable: number, free: number): Figure =>
  ratioFigure(free - usable, free === 0 ? 1 : free, { because: NO_MIG })

const NO_MIG = 'No ready GPU whose MIG geometry is known is in MIG mode.'
const NO_INSTANCES = 'No GPU in MIG mode has an instance.'
