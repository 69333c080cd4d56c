import { boardFor } from '../../gpu/known-boards.ts'
import { EmptyGpus, type GpuSet, type GpuSetHeld, type GpuSetNodes } from './gpu-set.ts'
import { fixedGpuSet } from './fixed-gpu-set.ts'
import { shareGpuSet } from './share-gpu-set.ts'
import type { ScenarioNeed } from './needs.ts'
import type { Placing } from './placings.ts'
import type { GpuCut, ScenarioGroup } from './scenario.ts'
import type { Board } from '../../gpu/board.ts'
import type { Mask } from '../../gpu/layout.ts'
import { bitCount } from '../../gpu/occupancy.ts'
import type { MigPolicy } from '../../plan/place/mig-policy.ts'
import { migTables, roomFor, type MigTables } from '../../plan/place/mig-tables.ts'

type GpuSetQuestion = {
  readonly model: string
  readonly groups: readonly ScenarioGroup[]
  readonly placing: Placing
}

/** Opens the GPUs of one model. Boards without MIG stay whole or shared as they are, whatever the placing. */
export function openGpuSet({ model, groups, placing: { policy, whole } }: GpuSetQuestion): GpuSet {
  const own = groups.filter((group) => group.model === model)
  const nodes: GpuSetNodes = own.flatMap(({ nodes: count, gpusPerNode }) => Array<number>(count).fill(gpusPerNode))
  const board = boardFor(model)
  if (policy !== undefined && board !== undefined) return migGpuSet({ board, nodes, policy })
  const cuts = cutsOf(own)
  const replicas = board === undefined ? replicasOfAll(cuts) : undefined
  return whole === undefined || replicas === undefined
    ? fixedGpuSet({ board, nodes, cuts })
    : shareGpuSet({ nodes, policy: whole, replicas })
}

/** Into how many replicas all GPUs are divided; undefined where they differ. */
function replicasOfAll(cuts: readonly GpuCut[]): number | undefined {
  const [first, ...more] = new Set(cuts.map(({ replicas }) => Math.max(1, replicas)))
  return more.length === 0 ? (first ?? 1) : undefined
}

/** The cuts of groups one after the other; what a group does not tell of its GPUs, new nodes say, is whole. */
export const cutsOf = (groups: readonly ScenarioGroup[]): readonly GpuCut[] =>
  groups.flatMap(({ cuts, nodes, gpusPerNode }) => {
    const gpus = nodes * gpusPerNode
    let left = gpus
    const kept = cuts.flatMap((cut) => {
      const count = Math.min(left, cut.gpus)
      left -= count
      return count > 0 ? [{ ...cut, gpus: count }] : []
    })
    return left > 0 ? [...kept, { gpus: left, profiles: [], replicas: 1 }] : kept
  })

type MigGpuSetOptions = {
  readonly board: Board
  readonly nodes: GpuSetNodes
  readonly policy: MigPolicy
}

/** GPUs whose free room is cut as it is asked for, where the policy says; nobody who runs is moved. */
function migGpuSet({ board, nodes, policy }: MigGpuSetOptions): GpuSet {
  const tables = migTables(board)
  const choose = policy.start(tables)
  const masks = new MaskPiles(tables, nodes)
  const full = 2 ** board.memorySlices - 1

  const takeWhole = (gpus: number): GpuSetHeld | undefined => {
    const found = masks.empty.pick(gpus)
    for (const gpu of found ?? []) masks.set(gpu, full)
    return found === undefined ? undefined : { gpus: found, token: full }
  }
  const takePart = (profile: number): GpuSetHeld | undefined => {
    // A policy counts everything that it is asked for, so it is asked only for what fits.
    if (!masks.fits(profile)) return undefined
    const spot = choose(profile, masks.gpusByMask)
    const gpu = spot === undefined ? undefined : masks.gpuWith(spot.mask)
    if (spot === undefined || gpu === undefined) return undefined
    masks.set(gpu, spot.mask | spot.taken)
    return { gpus: [gpu], token: spot.taken }
  }
  return {
    gpus: masks.masks.length,
    take(need: ScenarioNeed) {
      if (need.kind === 'whole') return takeWhole(need.gpus)
      const profile = tables.profiles.findIndex(({ name }) => name === need.profile?.name)
      return profile < 0 ? takeWhole(1) : takePart(profile)
    },
    release({ gpus, token }) {
      for (const gpu of gpus) masks.set(gpu, (masks.masks[gpu] ?? 0) & ~token)
    },
    stranded: () => masks.stranded,
  }
}

/** The part of a GPU that is free and that no profile can cover, for each mask. */
function unusableByMask({ board, spots, reachable }: MigTables): Float64Array {
  const parts = new Float64Array(2 ** board.memorySlices)
  for (const mask of reachable) {
    const usable = spots.flat().reduce((all, spot) => ((spot & mask) === 0 ? all | spot : all), 0)
    parts[mask] = (board.memorySlices - bitCount(mask | usable)) / board.memorySlices
  }
  return parts
}

/** GPUs by what is taken of them. An empty one is opened on the node with fewest empty ones. */
class MaskPiles {
  readonly masks: Int32Array
  readonly gpusByMask: Int32Array
  readonly empty: EmptyGpus
  /** GPUs' worth that is free and that no profile can cover. */
  stranded = 0
  private readonly tables: MigTables
  private readonly unusable: Float64Array
  private readonly piles = new Map<Mask, Set<number>>()

  constructor(tables: MigTables, nodes: GpuSetNodes) {
    const gpus = nodes.reduce((sum, count) => sum + count, 0)
    this.tables = tables
    this.unusable = unusableByMask(tables)
    this.masks = new Int32Array(gpus)
    this.gpusByMask = new Int32Array(tables.full.length)
    this.gpusByMask[0] = gpus
    this.empty = new EmptyGpus(nodes)
  }

  fits(profile: number): boolean {
    for (const mask of this.tables.reachable)
      if ((this.gpusByMask[mask] ?? 0) > 0 && roomFor(this.tables, mask, profile) > 0) return true
    return false
  }

  gpuWith(mask: Mask): number | undefined {
    if (mask === 0) return this.empty.pick(1)?.[0]
    const [first] = this.piles.get(mask) ?? []
    return first
  }

  set(gpu: number, mask: Mask): void {
    const before = this.masks[gpu] ?? 0
    this.piles.get(before)?.delete(gpu)
    this.gpusByMask[before] = (this.gpusByMask[before] ?? 0) - 1
    this.gpusByMask[mask] = (this.gpusByMask[mask] ?? 0) + 1
    this.stranded += (this.unusable[mask] ?? 0) - (this.unusable[before] ?? 0)
    this.masks[gpu] = mask
    this.empty.set(gpu, mask === 0)
    if (mask === 0) return
    const pile = this.piles.get(mask) ?? new Set()
    this.piles.set(mask, pile)
    pile.add(gpu)
  }
}
