import { plainProfiles, type Board, type MigProfile } from '../../gpu/board.ts'
import { placementMask, type Mask } from '../../gpu/layout.ts'
import { placeableTogether } from '../../gpu/occupancy.ts'
import { onceFor } from '../../once-for.ts'

/**
 * What placement asks of a board again and again, looked up instead of searched: for each set of taken memory slices
 * (256 on eight memory slices, 4,096 on twelve) where each plain profile may go and how many of it still fit.
 */
export type MigTables = {
  readonly board: Board
  /** The plain profiles, in the menu's order; tables know them by their index. */
  readonly profiles: readonly MigProfile[]
  /** The part of a GPU that a profile takes: the larger of its compute and its memory share. */
  readonly worth: Float64Array
  /** Memory slices that each profile would cover, by legal start. */
  readonly spots: ReadonlyArray<readonly Mask[]>
  /** Instances of a profile that fit together, at `mask × profiles.length + profile`. */
  readonly room: Uint8Array
  /** 1 where no profile fits any more. */
  readonly full: Uint8Array
  /** Masks that instances can make, rising; the empty GPU is the first. */
  readonly reachable: readonly Mask[]
}

/**
 * The demand that placement expects where it has seen none: every profile gets the same compute, so small ones come more
 * often. Shares of arrivals, by the tables' profile index.
 */
export function evenDemand({ profiles }: MigTables): Float64Array {
  const total = profiles.reduce((sum, { computeSlices }) => sum + 1 / computeSlices, 0)
  return Float64Array.from(profiles, ({ computeSlices }) => 1 / computeSlices / total)
}

/** How many of a profile fit together beside what is taken. */
export const roomFor = ({ room, profiles }: MigTables, mask: Mask, profile: number): number =>
  room[mask * profiles.length + profile] ?? 0

/** A board's tables, made when first asked for. */
export const migTables = onceFor((board: Board): MigTables => {
  const profiles = plainProfiles(board)
  const spots = profiles.map(({ starts, size }) => starts.map((start) => placementMask({ start, size })))
  const masks = 2 ** board.memorySlices
  const room = new Uint8Array(masks * profiles.length)
  const full = new Uint8Array(masks).fill(1)
  const reachable = reach(spots, masks)
  for (const mask of reachable) {
    for (const [index, profile] of profiles.entries()) {
      const count = placeableTogether(board, mask, profile)
      room[mask * profiles.length + index] = count
      if (count > 0) full[mask] = 0
    }
  }
  const worth = Float64Array.from(profiles, ({ computeSlices, size }) =>
    Math.max(computeSlices / board.computeSlices, size / board.memorySlices),
  )
  return { board, profiles, worth, spots, room, full, reachable }
})

// An instance only ever adds bits, so one pass over rising masks meets every mask that instances can make.
function reach(spots: MigTables['spots'], masks: number): readonly Mask[] {
  const met = new Uint8Array(masks)
  met[0] = 1
  for (let mask = 0; mask < masks; mask += 1) {
    if (met[mask] !== 1) continue
    for (const spot of spots.flat()) if ((spot & mask) === 0) met[mask | spot] = 1
  }
  return Array.from(met.keys()).filter((mask) => met[mask] === 1)
}
