import { ratio, type Ratio } from '../units.ts'
import type { Board } from './board.ts'
import { inferPlacements } from './infer-placements.ts'
import { computeSlicesOf, type Layout } from './layout.ts'
import { bestCompletion } from './occupancy.ts'

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

const strandedSlices = (board: Board, layout: Layout): number =>
  board.computeSlices - computeSlicesOf(board, layout) - bestCompletion(board, layout)
