import { profileOf, sliceShare } from './board.ts'
import { boardFor } from './known-boards.ts'
import { profileOfResource } from './profile-name.ts'

/** The share of a GPU of this model, or product, that one MIG device of this resource is; undefined for anything else. */
export function shareOfResource(resource: string, model: string): number | undefined {
  const board = boardFor(model)
  const name = profileOfResource(resource)
  const profile = board === undefined || name === undefined ? undefined : profileOf(board, name)
  return board === undefined || profile === undefined ? undefined : sliceShare(board, profile)
}
