import { TICK_MS, addTicks, noSums, tickOf, type Activity } from './activity.ts'
import type { Holder, Unit } from './slots.ts'
import type { GpuSpec, NodeSpec } from './fleet.ts'
import type { CloudInstance } from './hardware.ts'
import { sampleTicks, type WorldSpan, type World } from './world.ts'

/** A line of devices that dcgm-exporter tells apart: a MIG instance, or a GPU without any. */
export type ModelRow = {
  readonly node: NodeSpec
  readonly gpu: GpuSpec
  readonly instance: CloudInstance | undefined
  /** Units whose work shows in this row. */
  readonly units: readonly Unit[]
  /** Units on the same board: power, clocks and temperature are not split among MIG instances. */
  readonly board: readonly Unit[]
}

/** What was going on in a row: means over a stretch, or peaks. Ratios 0–1. */
export type DeviceReading = {
  readonly busy: number
  readonly effective: number
  readonly tensor: number
  readonly memoryBus: number
  readonly memoryMib: number
  readonly totalMib: number
  /** Busy of the whole board. */
  readonly boardBusy: number
}

/** A stretch of a row with one holder by the exporter's labels. */
export type Piece = WorldSpan & { readonly holder: Holder | undefined; readonly activity: Activity | undefined }

/** What a metric is made from; the less, the quicker the past is told. */
export type Needs = 'nothing' | 'memory' | 'row' | 'board'

/** The rows that a node's exporter gives at an instant; none when it does not answer. */
export function rowsAt(world: World, node: NodeSpec, at: number): readonly ModelRow[] {
  if (node.defect === 'exporter-down' || node.defect === 'not-ready' || at >= world.retiredAt(node.name)) return []
  const alive = world.unitsOf(node.name).filter((unit) => unit.from <= at && at < unit.to)
  return node.gpus.flatMap((gpu) => rowsOf(node, gpu, alive))
}

/** Every row that the node had at some time in the window. */
export function readingRowsIn(world: World, node: NodeSpec, window: WorldSpan): readonly (ModelRow & WorldSpan)[] {
  const to = Math.min(window.to, world.retiredAt(node.name))
  const cuts = new Set<number>([window.from])
  for (const unit of world.unitsOf(node.name)) {
    if (unit.from > window.from && unit.from < to) cuts.add(unit.from)
  }
  const starts = [...cuts].toSorted((a, b) => a - b)
  return starts.flatMap((from, index) =>
    rowsAt(world, node, from).map((row) => ({ ...row, from, to: starts[index + 1] ?? to })),
  )
}

function rowsOf(node: NodeSpec, gpu: GpuSpec, alive: readonly Unit[]): readonly ModelRow[] {
  const board = alive.filter((unit) => unit.gpu === gpu)
  const cut = board.filter((unit) => unit.instance !== undefined)
  if (cut.length === 0) return [{ node, gpu, instance: undefined, units: board, board }]
  const shown = node.defect === 'missing-instance' ? cut.slice(0, -1) : cut
  return shown.map((unit) => ({ node, gpu, instance: unit.instance, units: [unit], board }))
}

/**
 * The holder that the labels name. A time-sliced GPU is told as one device and attributed to one of its pods at most:
 * here to that of the first replica.
 */
export const labelledHolder = (world: World, row: ModelRow, at: number): Holder | undefined => {
  const [unit] = row.units
  return unit === undefined ? undefined : world.holderAt(unit, at)?.holder
}

/** The stretches between changes of the labelled holder, with the free ones. */
export function piecesOf(world: World, row: ModelRow, window: WorldSpan): readonly Piece[] {
  const [unit] = row.units
  const found: Piece[] = []
  let at = window.from
  for (const segment of unit === undefined ? [] : world.segments(unit, window)) {
    if (segment.from > at) found.push({ from: at, to: segment.from, ...FREE })
    found.push(segment)
    at = segment.to
  }
  if (at < window.to) found.push({ from: at, to: window.to, ...FREE })
  return found
}
const FREE = { holder: undefined, activity: undefined } as const

/** What the exporter shows at an instant: the last whole collection interval, for who holds the row now. */
export function readAt(world: World, row: ModelRow, at: number): DeviceReading {
  const tick = tickOf(at) - 1
  const usage = (unit: Unit): Usage => {
    const segment = world.holderAt(unit, at)
    return segment === undefined ? IDLE : usageOf([segment], { tick, peaks: false })
  }
  return combine(row, usage, true)
}

/** Means, or peaks, over the samples of a stretch inside a piece. Undefined when there is no sample in it. */
export function readOver(
  world: World,
  row: ModelRow,
  over: WorldSpan & { peaks: boolean; needs?: Needs; piece?: Piece },
): DeviceReading | undefined {
  const ticks = sampleTicks(over)
  if (ticks.to <= ticks.from) return undefined
  const { peaks, needs = 'board', piece } = over
  const how = { ticks, peaks, memoryOnly: needs === 'memory' }
  const [first] = row.units
  const alone = piece !== undefined && row.units.length === 1
  const usage = (unit: Unit): Usage => {
    if (needs === 'nothing') return IDLE
    if (!alone || unit !== first) return usageOf(world.segments(unit, over), how)
    return piece.activity === undefined
      ? IDLE
      : usageOf([{ from: over.from, to: over.to, activity: piece.activity }], how)
  }
  return combine(row, usage, needs === 'board')
}

/** How many samples a stretch has, one per 30 s. */
export const samplesIn = (span: WorldSpan): number => {
  const { from, to } = sampleTicks(span)
  return Math.max(0, to - from)
}

type Usage = Pick<DeviceReading, 'busy' | 'effective' | 'tensor' | 'memoryBus'> & { readonly memory: number }
const IDLE: Usage = { busy: 0, effective: 0, tensor: 0, memoryBus: 0, memory: 0 }

type Over = { readonly peaks: boolean; readonly memoryOnly?: boolean } & (
  | { readonly tick: number; readonly ticks?: undefined }
  | { readonly ticks: { from: number; to: number } }
)

function usageOf(segments: readonly (WorldSpan & { activity: Activity })[], over: Over): Usage {
  const total = { busy: 0, effective: 0, tensor: 0, memoryBus: 0, memory: 0 }
  const all = over.ticks === undefined ? 1 : over.ticks.to - over.ticks.from
  for (const { activity, ...span } of segments) {
    const ticks = over.ticks === undefined ? { from: over.tick, to: over.tick + 1 } : sampleTicks(span)
    const sums = noSums()
    addTicks(sums, activity, { ...ticks, peaks: over.peaks, memoryOnly: over.memoryOnly === true })
    const busy = over.peaks ? sums.busyPeak : sums.busy / all
    const memory = over.peaks ? sums.memoryPeak : sums.memory / all
    const join = over.peaks ? Math.max : (a: number, b: number): number => a + b
    total.busy = join(total.busy, busy)
    total.effective = join(total.effective, busy * activity.effective)
    total.tensor = join(total.tensor, busy * activity.tensor)
    total.memoryBus = join(total.memoryBus, busy * activity.memoryBus)
    total.memory = join(total.memory, memory)
  }
  return total
}

function combine(row: ModelRow, usage: (unit: Unit) => Usage, withBoard: boolean): DeviceReading {
  const sum = { busy: 0, effective: 0, tensor: 0, memoryBus: 0, memoryMib: 0 }
  const weight = row.instance === undefined ? (unit: Unit): number => unit.share : (): number => 1
  for (const unit of row.units) {
    const part = usage(unit)
    sum.busy += part.busy * weight(unit)
    sum.effective += part.effective * weight(unit)
    sum.tensor += part.tensor * weight(unit)
    sum.memoryBus += part.memoryBus * weight(unit)
    sum.memoryMib += part.memory * unit.memoryMib * weight(unit)
  }
  const boardBusy =
    row.instance === undefined || !withBoard
      ? sum.busy
      : row.board.reduce((all, unit) => all + usage(unit).busy * unit.share, 0)
  return {
    ...sum,
    totalMib: row.instance === undefined ? row.node.hardware.memoryMib : (row.units[0]?.memoryMib ?? 0),
    boardBusy,
  }
}

/** The instant of the newest sample at or before `at`. */
export const sampleTime = (at: number): number => tickOf(at) * TICK_MS
