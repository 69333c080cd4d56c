import { boardFor } from '../../gpu/known-boards.ts'
import { GPU_MILLI, type Demand } from '../place/demand.ts'
import { typicalDemands } from '../policy/typical-demands.ts'
import { seededChance } from '../simulate/seeded-chance.ts'
import { EmptyGpus, type GpuSet, type GpuSetHeld, type GpuSetNodes } from './gpu-set.ts'
import { migPolicy, sharePolicy, staticCut, type Alternative } from './alternatives.ts'
import { fixedGpuSet } from './fixed-gpu-set.ts'
import type { ScenarioNeed } from './needs.ts'
import type { GpuCut, ScenarioGroup } from './scenario.ts'
import type { Board } from '../../gpu/board.ts'
import type { Mask } from '../../gpu/layout.ts'
import { bitCount } from '../../gpu/occupancy.ts'
import type { MigPolicy } from '../place/mig-policy.ts'
import { migTables, roomFor, type MigTables } from '../place/mig-tables.ts'
import { mib } from '../../units.ts'
import { shareFleet, place, undo, type Spot } from '../place/fleet.ts'
import type { Policy, TypicalDemand } from '../policy/policy.ts'

export type GpuSetQuestion = {
  readonly model: string
  readonly groups: readonly ScenarioGroup[]
  readonly alternative: Alternative
  /** What comes to this model, with how often: what is typical, and how much of it wants a part of a GPU. */
  readonly needs: ReadonlyArray<{ readonly need: ScenarioNeed; readonly count: number; readonly gpuSeconds: number }>
  readonly seed: number
}

/** Opens the GPUs of one model as an alternative shares them. Where its way to share needs MIG, other boards stay whole or shared as they are. */
export function openGpuSet({ model, groups, alternative, needs, seed }: GpuSetQuestion): GpuSet {
  const own = groups.filter((group) => group.model === model)
  const nodes: GpuSetNodes = own.flatMap(({ nodes: count, gpusPerNode }) => Array<number>(count).fill(gpusPerNode))
  const board = boardFor(model)
  const random = seededChance(seed)
  const { mode, policy } = alternative
  const shared = (replicas: number) =>
    shareGpuSet({ nodes, policy: sharePolicy(policy), random, replicas, typical: typicalOf(needs, replicas) })
  if (mode.kind === 'whole') return shared(1)
  if (mode.kind === 'slices') return shared(mode.replicas)
  if (mode.kind === 'mig' && board !== undefined) return migGpuSet({ board, nodes, policy: migPolicy(policy), random })
  const cuts = mode.kind === 'static' ? staticCuts({ model, layout: mode.layout, nodes, needs, own }) : cutsOf(own)
  return fixedGpuSet({ board, nodes, cuts })
}

/** The cuts of groups one after the other; what a group does not tell of its GPUs, new nodes say, is whole. */
const cutsOf = (groups: readonly ScenarioGroup[]): readonly GpuCut[] =>
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

type StaticQuestion = {
  readonly model: string
  readonly layout: string
  readonly nodes: GpuSetNodes
  readonly needs: GpuSetQuestion['needs']
  readonly own: readonly ScenarioGroup[]
}

/** As many GPUs cut by the layout as the part of GPU time that wants less than a GPU. Boards without it stay as they are. */
function staticCuts({ model, layout, nodes, needs, own }: StaticQuestion): readonly GpuCut[] {
  const profiles = staticCut(model, layout)
  if (profiles === undefined) return cutsOf(own)
  const gpus = nodes.reduce((sum, count) => sum + count, 0)
  const timeOf = (kind: ScenarioNeed['kind']): number =>
    needs.reduce((sum, { need, gpuSeconds }) => (need.kind === kind ? sum + gpuSeconds : sum), 0)
  const [parts, wholes] = [timeOf('part'), timeOf('whole')]
  if (parts === 0) return []
  return [{ gpus: Math.min(gpus, Math.max(1, Math.round((gpus * parts) / (parts + wholes)))), profiles, replicas: 1 }]
}

function typicalOf(needs: GpuSetQuestion['needs'], replicas: number) {
  // Each kind as often as it comes, thinned out evenly where there are very many.
  const total = needs.reduce((sum, { count }) => sum + count, 0)
  const per = Math.max(1, total / 2000)
  const demands = needs.flatMap(({ need, count }): Demand[] =>
    Array<Demand>(Math.max(1, Math.round(count / per))).fill(shareDemand(need, replicas, 0)),
  )
  return typicalDemands(demands)
}

type MigGpuSetOptions = {
  readonly board: Board
  readonly nodes: GpuSetNodes
  readonly policy: MigPolicy
  readonly random: () => number
}

/** GPUs whose free room is cut as it is asked for, where the policy says; nobody who runs is moved. */
function migGpuSet({ board, nodes, policy, random }: MigGpuSetOptions): GpuSet {
  const tables = migTables(board)
  const choose = policy.start({ tables, random })
  const masks = new MaskPiles(tables, nodes)
  const full = 2 ** board.memorySlices - 1
  const unusable = unusableByMask(tables)

  const takeWhole = (gpus: number): GpuSetHeld | undefined => {
    const found = masks.empty.pick(gpus)
    for (const gpu of found ?? []) masks.set(gpu, full)
    return found === undefined ? undefined : { gpus: found, start: 0, size: board.memorySlices, token: full }
  }
  const takePart = (profile: number): GpuSetHeld | undefined => {
    // A policy counts everything that it is asked for, so it is asked only for what fits.
    if (!masks.fits(profile)) return undefined
    const spot = choose(profile, masks.gpusByMask)
    const gpu = spot === undefined ? undefined : masks.gpuWith(spot.mask)
    if (spot === undefined || gpu === undefined) return undefined
    masks.set(gpu, spot.mask | spot.taken)
    return { gpus: [gpu], start: lowestBit(spot.taken), size: bitCount(spot.taken), token: spot.taken }
  }
  return {
    gpus: masks.masks.length,
    slots: board.memorySlices,
    take(need: ScenarioNeed) {
      if (need.kind === 'whole') return takeWhole(need.gpus)
      const profile = tables.profiles.findIndex(({ name }) => name === need.profile?.name)
      return profile < 0 ? takeWhole(1) : takePart(profile)
    },
    release({ gpus, token }) {
      for (const gpu of gpus) masks.set(gpu, (masks.masks[gpu] ?? 0) & ~token)
    },
    stranded: () => masks.gpusByMask.reduce((sum, count, mask) => sum + count * (unusable[mask] ?? 0), 0),
  }
}

const lowestBit = (mask: Mask): number => Math.round(Math.log2(mask & -mask))

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
  private readonly tables: MigTables
  private readonly piles = new Map<Mask, Set<number>>()

  constructor(tables: MigTables, nodes: GpuSetNodes) {
    const gpus = nodes.reduce((sum, count) => sum + count, 0)
    this.tables = tables
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
    this.masks[gpu] = mask
    this.empty.set(gpu, mask === 0)
    if (mask === 0) return
    const pile = this.piles.get(mask) ?? new Set()
    this.piles.set(mask, pile)
    pile.add(gpu)
  }
}

type ShareGpuSetOptions = {
  readonly nodes: GpuSetNodes
  readonly policy: Policy
  readonly random: () => number
  /** Equal shares of a GPU; 1: a GPU is held whole. */
  readonly replicas: number
  readonly typical: readonly TypicalDemand[]
}

/** GPUs that are held whole, or shared in software by pods of one namespace. */
function shareGpuSet({ nodes, policy, random, replicas, typical }: ShareGpuSetOptions): GpuSet {
  const fleet = shareFleet(
    nodes.map((gpus, node) => ({
      id: String(node).padStart(6, '0'),
      cpuMilli: 1e12,
      memory: mib(1e12),
      model: '',
      pool: '',
      gpus,
    })),
  )
  const chooser = policy.start({ fleet, typical, random })
  const taken = new Map<number, { readonly demand: Demand; readonly spot: Spot }>()
  let token = 0
  return {
    gpus: fleet.milliFree.length,
    slots: replicas,
    take(need, tenant): GpuSetHeld | undefined {
      const demand = shareDemand(need, replicas, tenant)
      const spot = chooser.choose(demand)
      if (spot === undefined) return undefined
      const before = GPU_MILLI - (fleet.milliFree[spot.gpus[0] ?? 0] ?? 0)
      place(fleet, demand, spot)
      token += 1
      taken.set(token, { demand, spot })
      const part = GPU_MILLI / replicas
      const size = demand.gpu.kind === 'share' ? Math.round(demand.gpu.milli / part) : replicas
      return { gpus: spot.gpus, start: demand.gpu.kind === 'share' ? Math.round(before / part) : 0, size, token }
    },
    release(held) {
      const known = taken.get(held.token)
      if (known !== undefined) undo(fleet, known.demand, known.spot)
      taken.delete(held.token)
    },
    // A share is any part of a GPU, so nothing that is free has a shape that nobody could use.
    stranded: () => 0,
  }
}

/** A need as whole GPUs or as replicas of one. */
function shareDemand(need: ScenarioNeed, replicas: number, tenant: number): Demand {
  const parts = need.kind === 'part' ? Math.ceil((need.milli * replicas) / GPU_MILLI - 1e-9) : replicas
  const gpu: Demand['gpu'] =
    need.kind === 'whole'
      ? { kind: 'whole', count: need.gpus }
      : parts >= replicas
        ? { kind: 'whole', count: 1 }
        : { kind: 'share', milli: Math.floor(GPU_MILLI / replicas) * parts }
  return { id: '', cpuMilli: 0, memory: mib(0), gpu, models: [], tenant: String(tenant) }
}
