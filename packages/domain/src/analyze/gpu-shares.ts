import { type Board, profileOf } from '../gpu/board.ts'
import { freeShare, strandedShare } from '../gpu/free-space.ts'
import type { ProfileName } from '../gpu/geometry.ts'
import { inferPlacements } from '../gpu/infer-placements.ts'
import { boardFor, menuOnlyBoardFor } from '../gpu/known-boards.ts'
import { isFeasible, type Layout } from '../gpu/layout.ts'
import { type Ratio, ratio } from '../units.ts'

/** How a GPU in MIG mode divides into its instances and the rest. Instances + free + stranded = 1. */
export type MigShares = {
  /** In the order of the instances. */
  readonly instances: readonly Ratio[]
  /** In no instance, and a profile fits. */
  readonly free: Ratio
  /** In no instance, and no profile can reach it. */
  readonly stranded: Ratio
}

export type CutInstance = {
  readonly profile: ProfileName
  readonly placement: { readonly start: number; readonly size: number } | undefined
}

/**
 * Shares of a GPU in MIG mode: compute slices of each profile over those of the board. Where the placements are unknown
 * the best that these profiles allow is taken. On a board whose menu alone is known, all that is in no instance counts as
 * free; on one we do not know at all, each instance counts the same and nothing is left over.
 */
export function migShares(model: string, instances: readonly CutInstance[]): MigShares {
  const board = boardFor(model)
  if (board !== undefined) return sharesOnBoard(board, instances)
  const slices = menuOnlyBoardFor(model)
  const menu = new Map(slices?.profiles.map(({ name, computeSlices }) => [name, computeSlices]))
  const known = instances.map(({ profile }) => (menu.get(profile) ?? 0) / (slices?.computeSlices ?? 1))
  if (slices !== undefined && known.every((share) => share > 0)) return fitted(known, undefined)
  return fitted(
    instances.map(() => 1 / instances.length),
    undefined,
  )
}

function sharesOnBoard(board: Board, instances: readonly CutInstance[]): MigShares {
  const shares = instances.map(({ profile }) => (profileOf(board, profile)?.computeSlices ?? 0) / board.computeSlices)
  const layout = layoutOn(board, instances)
  return layout === undefined
    ? fitted(shares, undefined)
    : fitted(shares, strandedShare(board, layout), freeShare(board, layout))
}

function layoutOn(board: Board, instances: readonly CutInstance[]): Layout | undefined {
  const placed = instances.flatMap(({ profile, placement }) => (placement === undefined ? [] : { profile, placement }))
  if (placed.length === instances.length && isFeasible(board, placed).kind === 'feasible') return placed
  return inferPlacements(
    board,
    instances.map(({ profile }) => profile),
  )
}

/** Makes the shares add up to 1: instances that claim more than the GPU are scaled down, what is left over is free. */
function fitted(shares: readonly number[], stranded: number | undefined, free?: number): MigShares {
  const cut = shares.reduce((sum, share) => sum + share, 0)
  const scale = cut > 1 ? 1 / cut : 1
  const rest = Math.max(0, 1 - cut * scale)
  return {
    instances: shares.map((share) => ratio(share * scale)),
    free: ratio(free ?? rest),
    stranded: ratio(stranded ?? 0),
  }
}
