import { agree, plural } from '@septet/domain/words'
import {
  bestCompletion,
  computeSlicesOf,
  freeMemorySlices,
  type Board,
  type Layout,
  type Placement,
} from '@septet/domain'

/** How many compute slices are in instances, can still be reached, and cannot: they add up to the board's. */
export type ComputeParts = { readonly taken: number; readonly reachable: number; readonly stranded: number }

export function computeParts(board: Board, layout: Layout): ComputeParts {
  const taken = computeSlicesOf(board, layout)
  const reachable = bestCompletion(board, layout)
  return { taken, reachable, stranded: board.computeSlices - taken - reachable }
}

/** One or two sentences on a whole cut: what is taken, what is left, and what nothing can use any more. */
export function cutVerdictWords(board: Board, layout: Layout): string {
  if (layout.length === 0) return 'No instances yet. Add a profile.'
  const { taken, reachable, stranded } = computeParts(board, layout)
  const free = freeMemorySlices(board, layout)
  const used = `${taken} of ${board.computeSlices} compute slices and ${board.memorySlices - free} of ${board.memorySlices} memory slices are in instances.`
  return [used, leftWords({ reachable, stranded, free })].join(' ')
}

function leftWords({ reachable, stranded, free }: Omit<ComputeParts, 'taken'> & { readonly free: number }): string {
  const more = reachable === 0 ? [] : [`${plural(reachable, 'more compute slice')} can be used.`]
  if (stranded === 0 && reachable === 0)
    return free === 0
      ? 'Nothing is left over.'
      : `${capital(plural(free, 'memory slice'))} ${agree(free, 'is', 'are')} left without a compute slice.`
  if (stranded === 0) return more.join(' ')
  const because =
    free === 0 ? 'no memory slice is left to pair with it' : 'no profile fits the memory slices that are free'
  return [...more, `${plural(stranded, 'compute slice')} ${agree(stranded, 'is', 'are')} stranded: ${because}.`].join(
    ' ',
  )
}

/** Memory slices of a placement: `memory slice 6`, `memory slices 4 to 7`. */
export const span = ({ start, size }: Placement): string =>
  size === 1 ? `memory slice ${start}` : `memory slices ${start} to ${start + size - 1}`

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
