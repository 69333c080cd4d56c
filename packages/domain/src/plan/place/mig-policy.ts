import type { Mask } from '../../gpu/layout.ts'
import type { MigTables } from './mig-tables.ts'

/**
 * A way to choose where an instance goes among GPUs of one board, one at a time. It sees how many GPUs have each mask of
 * taken memory slices, which is all that matters where any legal start may be chosen.
 */
export type MigPolicy = {
  readonly name: string
  start(tables: MigTables): MigChooser
}

/** Told every arrival in turn, whether it fits or not. Undefined: it fits nowhere. */
export type MigChooser = (profile: number, gpusByMask: Int32Array) => MigSpot | undefined

/** On a GPU with this mask, these memory slices. */
export type MigSpot = { readonly mask: Mask; readonly taken: Mask }

/** The spot with the least cost; ties go to the fullest mask as a number, then the lowest start. */
export function cheapest(
  { tables, profile, gpusByMask }: PlaceQuestion,
  cost: (mask: Mask, after: Mask) => number,
): MigSpot | undefined {
  let best: MigSpot | undefined
  let least = Number.POSITIVE_INFINITY
  for (let index = tables.reachable.length - 1; index >= 0; index -= 1) {
    const mask = tables.reachable[index] ?? 0
    if ((gpusByMask[mask] ?? 0) === 0) continue
    for (const taken of tables.spots[profile] ?? []) {
      if ((taken & mask) !== 0) continue
      const found = cost(mask, mask | taken)
      if (found >= least - TOLERANCE) continue
      least = found
      best = { mask, taken }
    }
  }
  return best
}

export type PlaceQuestion = { readonly tables: MigTables; readonly profile: number; readonly gpusByMask: Int32Array }

// Sums in another order differ in their last bits; a tie stays a tie.
const TOLERANCE = 1e-12
