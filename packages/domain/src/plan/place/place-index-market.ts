import { plainProfiles, type Board, type MigProfile } from '../../gpu/board.ts'
import { occupancy, placeAt, placementMask, type PlacedInstance } from '../../gpu/layout.ts'
import { placeableTogether } from '../../gpu/occupancy.ts'

/**
 * GPUs whose room stands in for each other: those of one board, or of one model that cannot be cut. It knows the states
 * that such a GPU can be in, and what room for each profile is worth now.
 */
export class Market {
  readonly board: Board | undefined
  /** The row of the whole GPU, behind the board's profiles. */
  readonly whole: number
  readonly held: MarketGpu
  /** Instances of each row for which the fleet has room. */
  readonly rooms: Float64Array
  gpus = 0
  private readonly worth: Float64Array
  private readonly seen: Float64Array
  private readonly prices: Float64Array
  private readonly states = new Map<string, MarketGpu>()
  private readonly menu: readonly MigProfile[]
  private epoch = 0

  constructor(board: Board | undefined) {
    this.board = board
    this.menu = board?.profiles ?? []
    this.whole = this.menu.length
    this.worth = Float64Array.from([...this.menu.map((profile) => worthOf(board, profile)), 1])
    this.seen = priorDemand(board)
    this.rooms = new Float64Array(this.whole + 1)
    this.prices = new Float64Array(this.whole + 1)
    this.held = this.state({ kind: 'held' }, { rooms: new Float64Array(this.whole + 1), fullness: 1 })
  }

  profile = (row: number): MigProfile | undefined => this.menu[row]

  rowOf = (profile: MigProfile): number => this.menu.indexOf(profile)

  /** Counts a part of an arrival that one of this market's rows could have served. */
  learn(row: number, part: number): void {
    this.seen[row] = (this.seen[row] ?? 0) + part
  }

  /** New prices: demand over room, per GPU; see `scarcityPrices`. */
  renew(): void {
    this.epoch += 1
    const total = this.seen.reduce((sum, count) => sum + count, 0)
    for (let row = 0; row < this.prices.length; row += 1) {
      const share = (this.seen[row] ?? 0) / total
      this.prices[row] = (this.gpus * share * (this.worth[row] ?? 0)) / ((this.rooms[row] ?? 0) + 1)
    }
  }

  /** What the room of a GPU in this state is worth. */
  value(state: MarketGpu): number {
    if (state.epoch === this.epoch) return state.value
    let value = 0
    for (let row = 0; row < this.prices.length; row += 1) value += (this.prices[row] ?? 0) * (state.rooms[row] ?? 0)
    state.value = value
    state.epoch = this.epoch
    return value
  }

  /** A GPU that software divides among one tenant's pods, or nobody holds: `tenant` -1. */
  shared(tenant: number, milli: number): MarketGpu {
    return this.state({ kind: 'shared', tenant, milli }, () => {
      const rooms = new Float64Array(this.whole + 1)
      if (milli === 1000) rooms[this.whole] = 1
      return { rooms, fullness: 1 - milli / 1000 }
    })
  }

  /** A GPU cut beforehand with so many free instances of each row. */
  cut(free: readonly number[]): MarketGpu {
    return this.state({ kind: 'cut', free }, () => {
      const size = free.reduce((sum, count, row) => sum + count * (this.menu[row]?.size ?? 0), 0)
      return { rooms: Float64Array.from([...free, 0]), fullness: 1 - size / (this.board?.memorySlices ?? 1) }
    })
  }

  /** A GPU that DRA cuts, with these memory slices taken and so many instances of the profiles whose number is limited. */
  dynamic(mask: number, limited: readonly number[]): MarketGpu {
    return this.state({ kind: 'dynamic', mask, limited }, () => {
      const { board } = this
      const rooms = this.menu.map((profile, row) => {
        const open = board === undefined ? 0 : placeableTogether(board, mask, profile)
        return Math.min(open, profile.max - (limited[row] ?? 0))
      })
      const taken = mask.toString(2).replaceAll('0', '').length
      const whole = mask === 0 ? 1 : 0
      return { rooms: Float64Array.from([...rooms, whole]), fullness: taken / (board?.memorySlices ?? 1) }
    })
  }

  /** A GPU that DRA cut into these instances. */
  dynamicWith(instances: ReadonlyArray<{ readonly instance: PlacedInstance; readonly row: number }>): MarketGpu {
    const countOf = (row: number): number => instances.filter((one) => one.row === row).length
    const limited = this.menu.map((_, row) => (this.isLimited(row) ? countOf(row) : 0))
    return this.dynamic(occupancy(instances.map(({ instance }) => instance)), limited)
  }

  /** The ways in which a GPU in this state can give an instance of the row. Remembered. */
  moves(state: MarketGpu, row: number): readonly MarketMove[] {
    const known = state.moves[row]
    if (known !== undefined) return known
    const moves = this.makeMoves(state, row)
    state.moves[row] = moves
    return moves
  }

  /** The state after an instance is given back. */
  without({ key }: MarketGpu, row: number, { placement }: PlacedInstance): MarketGpu {
    if (key.kind === 'cut') return this.cut(changed(key.free, row, 1))
    if (key.kind !== 'dynamic') throw new Error('this GPU holds no instance')
    const limited = this.isLimited(row) ? changed(key.limited, row, -1) : key.limited
    return this.dynamic(key.mask & ~placementMask(placement), limited)
  }

  private makeMoves({ key, rooms }: MarketGpu, row: number): readonly MarketMove[] {
    if ((rooms[row] ?? 0) === 0) return []
    const profile = this.menu[row]
    if (profile === undefined) return [{ row, next: this.held, instance: undefined }]
    if (key.kind === 'cut') return [{ row, next: this.cut(changed(key.free, row, -1)), instance: undefined }]
    if (key.kind !== 'dynamic') return []
    const limited = this.isLimited(row) ? changed(key.limited, row, 1) : key.limited
    return profile.starts.flatMap((start) => {
      const instance = placeAt(profile, start)
      const spot = placementMask(instance.placement)
      return (spot & key.mask) === 0 ? [{ row, next: this.dynamic(key.mask | spot, limited), instance }] : []
    })
  }

  // The mask tells how many of a profile fit, unless the driver allows fewer than would: `+me` is one to a GPU.
  private isLimited(row: number): boolean {
    const profile = this.menu[row]
    if (this.board === undefined || profile === undefined) return false
    return profile.max < placeableTogether(this.board, 0, { ...profile, max: this.board.memorySlices })
  }

  private state(key: StateKey, room: Room | (() => Room)): MarketGpu {
    const name = JSON.stringify(key)
    const known = this.states.get(name)
    if (known !== undefined) return known
    const { rooms, fullness } = typeof room === 'function' ? room() : room
    const tenant = key.kind === 'shared' ? key.tenant : -1
    const made: MarketGpu = { key, tenant, rooms, fullness, moves: [], value: 0, epoch: -1 }
    this.states.set(name, made)
    return made
  }
}

/** The state of an empty GPU that DRA cuts. */
export const emptyDynamic = (market: Market): MarketGpu =>
  market.dynamic(
    0,
    Array.from({ length: market.whole }, () => 0),
  )

/** What is known of a GPU, without its name: GPUs in one state are alike for placement. */
export type MarketGpu = {
  readonly key: StateKey
  readonly tenant: number
  readonly rooms: Float64Array
  /** Share that is taken, 0 to 1. */
  readonly fullness: number
  readonly moves: Array<readonly MarketMove[] | undefined>
  value: number
  epoch: number
}

/** Undefined `instance`: one of the instances that are already there. */
export type MarketMove = {
  readonly row: number
  readonly next: MarketGpu
  readonly instance: PlacedInstance | undefined
}

type Room = { readonly rooms: Float64Array; readonly fullness: number }
type StateKey =
  | { readonly kind: 'held' }
  | { readonly kind: 'shared'; readonly tenant: number; readonly milli: number }
  | { readonly kind: 'cut'; readonly free: readonly number[] }
  | { readonly kind: 'dynamic'; readonly mask: number; readonly limited: readonly number[] }

function worthOf(board: Board | undefined, { computeSlices, size }: MigProfile): number {
  return board === undefined ? 0 : Math.max(computeSlices / board.computeSlices, size / board.memorySlices)
}

/** Each plain profile and the whole GPU get the same compute; a variant counts once it is asked for. */
function priorDemand(board: Board | undefined): Float64Array {
  if (board === undefined) return new Float64Array([1])
  const plain = plainProfiles(board)
  return Float64Array.from([
    ...board.profiles.map((profile) => (plain.includes(profile) ? board.computeSlices / profile.computeSlices : 0)),
    1,
  ])
}

const changed = (counts: readonly number[], row: number, by: number): readonly number[] =>
  counts.map((count, index) => (index === row ? count + by : count))
