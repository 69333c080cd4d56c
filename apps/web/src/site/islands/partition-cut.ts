import { boardFor, inferPlacements, type Layout } from '@septet/domain'

import { addTo, type Offer } from './partition-offers.ts'
import { span } from '../../geometry/partition-words.ts'

/** A board to try: what it is called here, and the name by which its driver reports it. */
export type ExplorerBoard = { readonly label: string; readonly model: string }

/** A GPU being cut by hand. */
export type ShownCut = {
  readonly board: ExplorerBoard
  readonly layout: Layout
  /** What the last press did, for those who do not see the bar change. */
  readonly said: string
}

/** These profiles on a board, at real placements. */
export const beginCut = (board: ExplorerBoard, profiles: readonly string[]): ShownCut => ({
  board,
  layout: layoutOn(board, profiles),
  said: '',
})

/** Adds the instance where the offer says; where it does not fit, nothing changes but what is said. */
export function afterAdd(cut: ShownCut, offer: Offer): ShownCut {
  const board = boardFor(cut.board.model)
  const layout = board && addTo(board, cut.layout, offer)
  const { name } = offer.profile
  return layout === undefined
    ? { ...cut, said: `${name} does not fit. ${offer.because}` }
    : { ...cut, layout, said: `${name} added. ${offer.because}` }
}

/** Takes out one instance; the others stay where they are, as on a GPU. */
export function afterRemove(cut: ShownCut, index: number): ShownCut {
  const gone = cut.layout[index]
  if (gone === undefined) return cut
  const layout = cut.layout.filter((instance) => instance !== gone)
  return { ...cut, layout, said: `${gone.profile} removed from ${span(gone.placement)}.` }
}

/** Real placements of these profiles, left to right; nothing where the board cannot hold them. */
export function layoutOn({ model }: ExplorerBoard, profiles: readonly string[]): Layout {
  const board = boardFor(model)
  const layout = board && inferPlacements(board, profiles)
  return (layout ?? []).toSorted((a, b) => a.placement.start - b.placement.start)
}
