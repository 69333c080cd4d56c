import { onceFor } from '../once-for.ts'
import { compareText } from '../units.ts'
import { plainProfiles, type Board, type MigProfile } from './board.ts'
import {
  geometryOf,
  placeAt,
  placementMask,
  type Geometry,
  type Layout,
  type Mask,
  type PlacedInstance,
} from './layout.ts'
import { placeable } from './occupancy.ts'

/**
 * Every feasible layout, the empty one first; each once, its instances by start. Over the plain profiles unless others are
 * given: 723 on an 8-slice board, 26 on A30 and RTX PRO 6000.
 */
export const enumerateLayouts = (board: Board, profiles?: readonly MigProfile[]): readonly Layout[] =>
  profiles === undefined ? plainLayouts(board) : enumerate(profiles)

/** The layouts to which no further instance of these profiles can be added. */
export const maximalLayouts = (board: Board, profiles = plainProfiles(board)): readonly Layout[] =>
  enumerateLayouts(board, profiles).filter((layout) =>
    profiles.every((profile) => placeable(board, layout, profile).length === 0),
  )

/** The different geometries of the maximal layouts, in a fixed order. */
export function maximalGeometries(board: Board, profiles = plainProfiles(board)): readonly Geometry[] {
  const byKey = new Map(
    maximalLayouts(board, profiles)
      .map(geometryOf)
      .map((found) => [JSON.stringify(found), found]),
  )
  return [...byKey].toSorted(([a], [b]) => compareText(a, b)).map(([, geometry]) => geometry)
}

const plainLayouts = onceFor((board: Board) => enumerate(plainProfiles(board)))

type Option = { readonly profile: MigProfile; readonly mask: Mask; readonly instance: PlacedInstance }

function enumerate(profiles: readonly MigProfile[]): readonly Layout[] {
  const options = profiles
    .flatMap((profile) =>
      profile.starts.map((start): Option => {
        const instance = placeAt(profile, start)
        return { profile, instance, mask: placementMask(instance.placement) }
      }),
    )
    .toSorted((a, b) => a.instance.placement.start - b.instance.placement.start)
  const found: Layout[] = []
  extend({ chosen: [], taken: 0, from: 0 })
  return found

  function extend({ chosen, taken, from }: { chosen: readonly Option[]; taken: Mask; from: number }): void {
    found.push(chosen.map((option) => option.instance))
    for (const [index, option] of options.entries()) {
      if (index < from || (option.mask & taken) !== 0 || isUsedUp(option.profile, chosen)) continue
      extend({ chosen: [...chosen, option], taken: taken | option.mask, from: index + 1 })
    }
  }
}

const isUsedUp = (profile: MigProfile, chosen: readonly Option[]): boolean =>
  chosen.filter((option) => option.profile === profile).length >= profile.max
