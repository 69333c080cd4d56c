import { ratio, type Ratio } from '../units.ts'
import type { Board, MigProfile } from './board.ts'
import { inferPlacements } from './infer-placements.ts'
import { computeSlicesOf, type Layout } from './layout.ts'
import { bestCompletion, freeMemorySlices, placeableTogether } from './occupancy.ts'

/** The part of the GPU that instances could still take beside this layout: best completion over the board's compute slices. */
export const freeShare = (board: Board, layout: Layout): Ratio =>
  ratio(bestCompletion(board, layout) / board.computeSlices)

/**
 * The part of the GPU that is neither in an instance nor free: no profile can reach it while the layout stays.
 * For a feasible layout, the instances' shares + free + stranded = 1.
 */
export const strandedShare = (board: Board, layout: Layout): Ratio =>
  ratio(strandedSlices(board, layout) / board.computeSlices)

/**
 * What of `strandedShare` no rearrangement of the same profiles could win back: 3g + 3g leaves one compute slice of seven
 * wherever they sit. The rest of the stranded share is due to where the instances happen to be.
 */
export function structuralShare(board: Board, layout: Layout): Ratio {
  const arranged = inferPlacements(
    board,
    layout.map((instance) => instance.profile),
  )
  return strandedShare(board, arranged ?? layout)
}

/**
 * How much of the free memory slices the profile cannot use: 1 − (instances placeable now × their size) / free memory
 * slices. 0 when nothing is free. Structure counts too: on an empty A100 seven 1g leave the eighth memory slice, 1/8.
 */
export function fragmentation(board: Board, layout: Layout, profile: MigProfile): Ratio {
  const free = freeMemorySlices(board, layout)
  if (free === 0) return ratio(0)
  return ratio(1 - (placeableTogether(board, layout, profile) * profile.size) / free)
}

const strandedSlices = (board: Board, layout: Layout): number =>
  board.computeSlices - computeSlicesOf(board, layout) - bestCompletion(board, layout)
