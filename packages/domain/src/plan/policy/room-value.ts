import { GPU_MILLI, gpuMilliOf, type Demand } from '../place/demand.ts'
import { allowsModel, at, type ShareFleet } from '../place/fleet.ts'
import type { TypicalDemand } from './policy.ts'

/**
 * What free room on a node is worth: an upper bound of the most that typical demands, each at its price, could still
 * put there. The node's CPU is priced (Lagrangian relaxation), so each GPU is a small knapsack of its own, tabulated
 * once per GPU model, CPU price and amount of free room; the best CPU price is the one with the lowest bound.
 */
export type RoomValue = {
  readonly models: readonly string[]
  readonly modelOfNode: Int32Array
  readonly wanted: readonly WantedRoom[]
  /** Thousandths of a GPU per level; all typical shares are multiples of it, unless that would need too many levels. */
  readonly step: number
  readonly tables: readonly ValueTable[]
}

/** A typical demand that wants GPU room. */
type WantedRoom = {
  readonly demand: Demand
  readonly share: number
  readonly milli: number
  /** Whole GPUs, or 0 for a share. */
  readonly count: number
}

/** At most 200 levels: finer shares are rounded down, which blurs their worth and never where they fit. */
const FINEST_STEP = 5

/** For one GPU model at one CPU price: value and last choice (-1: a unit is left over) by free levels, by whole GPUs. */
type ValueTable = {
  readonly model: string
  readonly cpuPrice: number
  readonly value: Float64Array
  readonly choice: Int16Array
  readonly wholeValue: Float64Array
  readonly wholeChoice: Int16Array
}

/** A node's free room in the terms of the tables; overwritten by the next reading. */
export type LevelRoom = { model: number; cpu: number; whole: number; parts: number; readonly level: Int32Array }

/** CPU prices tried per GPU model: from free to where the leanest demand gains nothing, denser where prices are low. */
const CPU_PRICES = 12
const PRICE_RATIO = 0.7

export function openRoomValue(fleet: ShareFleet, typical: readonly TypicalDemand[]): RoomValue {
  const wanted = typical.flatMap(({ demand, share }): WantedRoom[] => {
    if (demand.gpu.kind === 'none') return []
    return [{ demand, share, milli: gpuMilliOf(demand.gpu), count: demand.gpu.kind === 'whole' ? demand.gpu.count : 0 }]
  })
  const models = [...new Set(fleet.nodes.map(({ model }) => model))]
  const step = stepOf(wanted)
  const mostGpus = fleet.nodes.reduce((most, { gpus }) => Math.max(most, gpus), 0)
  const leanest = wanted.reduce((most, { demand, milli }) => Math.max(most, milli / Math.max(1, demand.cpuMilli)), 0)
  const tables = models.flatMap((model) =>
    Array.from({ length: CPU_PRICES }, (_, index) => ({
      model,
      cpuPrice: index === 0 ? 0 : leanest * PRICE_RATIO ** (CPU_PRICES - 1 - index),
      value: new Float64Array(GPU_MILLI / step + 1),
      choice: new Int16Array(GPU_MILLI / step + 1).fill(-1),
      wholeValue: new Float64Array(mostGpus + 1),
      wholeChoice: new Int16Array(mostGpus + 1).fill(-1),
    })),
  )
  const modelOfNode = Int32Array.from(fleet.nodes, ({ model }) => models.indexOf(model))
  return { models, modelOfNode, wanted, step, tables }
}

/** Fills the tables for one price per wanted demand: what serving it once is worth, thousandths of a GPU. */
export function tabulate({ tables, wanted, step }: RoomValue, prices: Float64Array): void {
  for (const table of tables) {
    const shares = new Map<number, Gain>()
    const whole = new Map<number, Gain>()
    for (const [index, { demand, milli, count }] of wanted.entries()) {
      const gain = at(prices, index) - table.cpuPrice * demand.cpuMilli
      if (gain <= 0 || !allowsModel(demand, table.model)) continue
      keepBest(count > 0 ? whole : shares, { size: count > 0 ? count : levelsOf(milli, step), gain, index })
    }
    fill(table.value, table.choice, { gains: [...shares.values()], spare: 0 })
    fill(table.wholeValue, table.wholeChoice, {
      gains: [...whole.values()],
      spare: at(table.value, table.value.length - 1),
    })
  }
}

/** A buffer for `readRoom`. */
export function emptyRoom({ nodes }: ShareFleet): LevelRoom {
  const mostGpus = nodes.reduce((most, { gpus }) => Math.max(most, gpus), 0)
  return { model: 0, cpu: 0, whole: 0, parts: 0, level: new Int32Array(mostGpus) }
}

export function readRoom(
  { modelOfNode, step }: RoomValue,
  fleet: ShareFleet,
  reading: { node: number; room: LevelRoom },
): void {
  const { node, room } = reading
  room.model = at(modelOfNode, node)
  room.cpu = at(fleet.cpuFree, node)
  room.whole = at(fleet.wholeFree, node)
  room.parts = 0
  const end = at(fleet.firstGpu, node + 1)
  for (let gpu = at(fleet.firstGpu, node); gpu < end; gpu += 1) {
    const free = at(fleet.milliFree, gpu)
    if (free < step || free === GPU_MILLI) continue
    room.level[room.parts] = Math.floor(free / step)
    room.parts += 1
  }
}

/** The room's value, thousandths of a GPU. */
export function roomValue(values: RoomValue, room: LevelRoom): number {
  let least = Infinity
  const first = room.model * CPU_PRICES
  for (let index = first; index < first + CPU_PRICES; index += 1)
    least = Math.min(least, valueAt(values.tables[index], room))
  return least
}

/** Adds to `used` how often each wanted demand is served in the best use of so many rooms like this. */
export function countBestUse(values: RoomValue, room: LevelRoom, use: { used: Float64Array; rooms: number }): void {
  const { used, rooms } = use
  const best = leastTable(values, room)
  if (best === undefined) return
  for (let part = 0; part < room.parts; part += 1) walk(values, best, { level: at(room.level, part), used, rooms })
  for (let whole = room.whole; whole > 0;) {
    const choice = best.wholeChoice[whole] ?? -1
    if (choice === -1) walk(values, best, { level: best.value.length - 1, used, rooms })
    else used[choice] = at(used, choice) + rooms
    whole -= choice === -1 ? 1 : (values.wanted[choice]?.count ?? 1)
  }
}

function leastTable({ tables }: RoomValue, room: LevelRoom): ValueTable | undefined {
  let least = Infinity
  let best: ValueTable | undefined
  const first = room.model * CPU_PRICES
  for (let index = first; index < first + CPU_PRICES; index += 1) {
    const value = valueAt(tables[index], room)
    if (value >= least) continue
    least = value
    best = tables[index]
  }
  return best
}

type Gain = { readonly size: number; readonly gain: number; readonly index: number }

function keepBest(gains: Map<number, Gain>, candidate: Gain): void {
  const known = gains.get(candidate.size)
  if (known === undefined || candidate.gain > known.gain) gains.set(candidate.size, candidate)
}

/** The unbounded knapsack by room: the most gain that fits, where each unit that is left over is worth `spare`. */
function fill(
  value: Float64Array,
  choice: Int16Array,
  { gains, spare }: { readonly gains: readonly Gain[]; readonly spare: number },
): void {
  // Plain numbers: this is where the search for prices spends its time.
  const sizes = Int32Array.from(gains, ({ size }) => size)
  const worth = Float64Array.from(gains, ({ gain }) => gain)
  for (let room = 1; room < value.length; room += 1) {
    let most = at(value, room - 1) + spare
    let chosen = -1
    for (let one = 0; one < sizes.length; one += 1) {
      const left = room - at(sizes, one)
      if (left < 0) continue
      const total = at(value, left) + at(worth, one)
      if (total <= most) continue
      most = total
      chosen = one
    }
    value[room] = most
    choice[room] = gains[chosen]?.index ?? -1
  }
}

function valueAt(table: ValueTable | undefined, room: LevelRoom): number {
  if (table === undefined) return 0
  let value = table.cpuPrice * room.cpu + at(table.wholeValue, room.whole)
  for (let part = 0; part < room.parts; part += 1) value += at(table.value, at(room.level, part))
  return value
}

function walk(
  { wanted, step }: RoomValue,
  table: ValueTable,
  use: { level: number; used: Float64Array; rooms: number },
): void {
  for (let level = use.level; level > 0;) {
    const choice = table.choice[level] ?? -1
    if (choice !== -1) use.used[choice] = at(use.used, choice) + use.rooms
    level -= choice === -1 ? 1 : levelsOf(wanted[choice]?.milli ?? step, step)
  }
}

const levelsOf = (milli: number, step: number): number => Math.max(1, Math.floor(milli / step))

function stepOf(wanted: readonly WantedRoom[]): number {
  const shares = wanted.filter(({ count }) => count === 0).map(({ milli }) => milli)
  return Math.max(FINEST_STEP, shares.reduce(commonDivisor, GPU_MILLI))
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b)
}
