import type { BlockView, FleetFrame, FleetNow, GpuView } from '@septet/contract'

import { numberAt } from './number-at.ts'

/** The codes of the wire, in the contract's order; fleet-picture.test.ts holds them against it. */
export const HOLDING_KINDS = [
  'busy',
  'idle',
  'unknown',
  'free',
  'stranded',
  'others',
  'uncut',
] as const satisfies readonly BlockView['kind'][]
export const GPU_MODES = ['whole', 'mig', 'shared'] as const satisfies readonly GpuView['mode'][]
export const PLACEMENTS = ['reported', 'inferred', 'unknown'] as const satisfies readonly BlockView['placement'][]

export const CODE = {
  busy: 0,
  idle: 1,
  unknown: 2,
  free: 3,
  stranded: 4,
  others: 5,
  uncut: 6,
} as const satisfies Record<BlockView['kind'], number>
export const SHARED = 2

/** What can be said of a GPU beside the kinds of its blocks: bits after theirs. */
export const FAULT_BIT = 1 << HOLDING_KINDS.length
export const DOWN_BIT = 1 << (HOLDING_KINDS.length + 1)

/** Room that a workload could get: none on a node that is not ready, nor on a GPU with a fault that nobody holds. */
const ROOM_BITS = (1 << CODE.free) | (1 << CODE.uncut)
const HELD_BITS = (1 << CODE.busy) | (1 << CODE.idle) | (1 << CODE.unknown) | (1 << CODE.others)
const hasRoom = (bits: number): boolean =>
  (bits & DOWN_BIT) === 0 && ((bits & FAULT_BIT) === 0 || (bits & HELD_BITS) !== 0)

/** A fleet as flat numbers, so that ten thousand GPUs are drawn without making an object. */
export type FleetPicture = {
  readonly frame: FleetFrame
  readonly now: FleetNow
  readonly gpus: number
  /** First block of each GPU, and after the last one the number of blocks. */
  readonly first: Int32Array
  readonly node: Int32Array
  readonly slots: Uint16Array
  readonly mode: Uint8Array
  readonly kind: Uint8Array
  readonly start: Uint16Array
  readonly size: Uint16Array
  /** Thousandths; -1: not known. */
  readonly busy: Int16Array
  /** Which kinds of blocks a GPU has, and whether it has a fault or its node is not ready, as bits. */
  readonly has: Uint16Array
  /** Whether any of its blocks is drawn where a node did not report it. */
  readonly guessed: Uint8Array
  readonly notReady: ReadonlySet<number>
  /** Fault message by GPU. */
  readonly faults: ReadonlyMap<number, FleetNow['faults'][number]>
}

/** Columns of an answer as typed arrays. */
export function fleetPicture(frame: FleetFrame, now: FleetNow): FleetPicture {
  const gpus = frame.gpus.id.length
  const first = new Int32Array(gpus + 1)
  for (let gpu = 0; gpu < gpus; gpu += 1) first[gpu + 1] = numberAt(first, gpu) + numberAt(frame.gpus.blocks, gpu)
  const columns = {
    gpus,
    first,
    node: Int32Array.from(frame.gpus.node),
    slots: Uint16Array.from(frame.gpus.slots),
    mode: Uint8Array.from(frame.gpus.mode),
    kind: Uint8Array.from(now.blocks.kind),
    start: Uint16Array.from(frame.blocks.start),
    size: Uint16Array.from(frame.blocks.size),
    busy: Int16Array.from(now.blocks.busy),
  }
  const notReady = new Set(now.notReady)
  const faults = new Map(now.faults.map((fault) => [fault.gpu, fault]))
  const has = new Uint16Array(gpus)
  const guessed = new Uint8Array(gpus)
  for (let gpu = 0; gpu < gpus; gpu += 1) {
    let bits = (faults.has(gpu) ? FAULT_BIT : 0) | (notReady.has(numberAt(columns.node, gpu)) ? DOWN_BIT : 0)
    for (let block = numberAt(first, gpu); block < numberAt(first, gpu + 1); block += 1) {
      bits |= 1 << numberAt(columns.kind, block)
      if (numberAt(frame.blocks.placement, block) !== 0) guessed[gpu] = 1
    }
    has[gpu] = hasRoom(bits) ? bits : bits & ~ROOM_BITS
  }
  return { frame, now, ...columns, has, guessed, notReady, faults }
}

/** One GPU of the picture as the slice bar and its card take it. Undefined when there is none. */
export function gpuAt(picture: FleetPicture, gpu: number): GpuView | undefined {
  const { frame, first } = picture
  const id = frame.gpus.id[gpu]
  if (id === undefined) return undefined
  const blocks: BlockView[] = []
  for (let block = numberAt(first, gpu); block < numberAt(first, gpu + 1); block += 1) {
    blocks.push(blockAt(picture, block))
  }
  return {
    id,
    index: numberAt(frame.gpus.index, gpu),
    model: pictureModel(picture, gpu),
    mode: GPU_MODES[numberAt(picture.mode, gpu)] ?? 'whole',
    slots: numberAt(picture.slots, gpu),
    blocks,
    fault: picture.faults.get(gpu) ?? null,
  }
}

function blockAt({ frame, now, kind, busy }: FleetPicture, block: number): BlockView {
  const share = numberAt(busy, block)
  return {
    kind: HOLDING_KINDS[numberAt(kind, block)] ?? 'unknown',
    start: numberAt(frame.blocks.start, block),
    size: numberAt(frame.blocks.size, block),
    profile: nameAt(frame.profiles, frame.blocks.profile[block]),
    placement: PLACEMENTS[numberAt(frame.blocks.placement, block)] ?? 'unknown',
    busy: share < 0 ? null : share / 1000,
    holder: nameAt(now.holders, now.blocks.holder[block]),
    because: nameAt(now.reasons, now.blocks.reason[block]),
  }
}

const nameAt = (names: readonly string[], place = -1): string | null => names[place] ?? null

/** Model of a GPU, and the pool of its node; both can be empty. */
export const pictureModel = ({ frame }: FleetPicture, gpu: number): string =>
  frame.models[numberAt(frame.gpus.model, gpu)] ?? ''
export const picturePool = ({ frame, node }: FleetPicture, gpu: number): string =>
  frame.pools[numberAt(frame.nodes.pool, numberAt(node, gpu))] ?? ''

/** Name of the node that a GPU is on. */
export const nodeOf = ({ frame, node }: FleetPicture, gpu: number): string =>
  frame.nodes.name[numberAt(node, gpu)] ?? ''

/** The holders of a GPU, each once, as positions in the list of holders. */
export function shownHolders({ first, now }: FleetPicture, gpu: number): number[] {
  const found: number[] = []
  for (let block = numberAt(first, gpu); block < numberAt(first, gpu + 1); block += 1) {
    const holder = now.blocks.holder[block] ?? -1
    if (holder >= 0 && !found.includes(holder)) found.push(holder)
  }
  return found
}
