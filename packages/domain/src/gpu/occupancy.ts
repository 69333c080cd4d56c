import { onceFor } from '../once-for.ts'
import { plainProfiles, profileOf, type Board, type MigProfile } from './board.ts'
import { occupancy, placementMask, type Layout, type Mask } from './layout.ts'

/**
 * The most compute slices that instances could still take beside what is there, over every legal way to fill the rest.
 * One look-up in a table that is made once for each board.
 */
export const bestCompletion = (board: Board, occupied: Layout | Mask): number =>
  completionsOf(board)[maskOf(occupied)] ?? 0

/**
 * Starts where one more instance of the profile fits. A layout also counts against the profile's maximum; a bare mask
 * cannot.
 */
export const placeable = (board: Board, occupied: Layout | Mask, profile: MigProfile): readonly number[] =>
  remaining(board, occupied, profile) === 0 ? [] : freeStarts(maskOf(occupied), profile)

/** How many instances of the profile fit at once into what is free. */
export function placeableTogether(board: Board, occupied: Layout | Mask, profile: MigProfile): number {
  let count = 0
  let end = 0
  // Intervals of one length: taking the earliest start that is free is optimal.
  for (const start of freeStarts(maskOf(occupied), profile)) {
    if (start < end) continue
    count += 1
    end = start + profile.size
  }
  return Math.min(count, remaining(board, occupied, profile))
}

/** Memory slices that no instance covers. */
export const freeMemorySlices = (board: Board, occupied: Layout | Mask): number =>
  board.memorySlices - bitCount(maskOf(occupied))

const maskOf = (occupied: Layout | Mask): Mask => (typeof occupied === 'number' ? occupied : occupancy(occupied))

const freeStarts = (mask: Mask, { starts, size }: MigProfile): readonly number[] =>
  starts.filter((start) => (placementMask({ start, size }) & mask) === 0)

function remaining(board: Board, occupied: Layout | Mask, profile: MigProfile): number {
  if (typeof occupied === 'number') return profile.max
  const taken = occupied.filter((instance) => profileOf(board, instance.profile)?.name === profile.name).length
  return Math.max(0, profile.max - taken)
}

/** How many memory slices a mask covers. */
export function bitCount(mask: Mask): number {
  let count = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1
  return count
}

// Plain profiles are enough, because a variant covers no other shape; and the masks are enough, because the maximum of a
// plain profile is as many as fit side by side.
const completionsOf = onceFor((board: Board): Uint8Array => {
  const table = new Uint8Array(1 << board.memorySlices)
  const options = plainProfiles(board).flatMap(({ starts, size, computeSlices }) =>
    starts.map((start) => ({ mask: placementMask({ start, size }), computeSlices })),
  )
  for (let mask = table.length - 1; mask >= 0; mask -= 1) {
    for (const option of options) {
      if ((mask & option.mask) !== 0) continue
      const reached = option.computeSlices + (table[mask | option.mask] ?? 0)
      table[mask] = Math.max(table[mask] ?? 0, reached)
    }
  }
  return table
})
