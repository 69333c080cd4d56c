import { profileOf, type Board, type MigProfile } from './board.ts'
import type { Placement, ProfileName } from './geometry.ts'

/** Profiles with their placements on one GPU, in any order. */
export type Layout = readonly PlacedInstance[]

/** A GPU instance: a profile made real at a placement. */
export type PlacedInstance = { readonly profile: ProfileName; readonly placement: Placement }

/** Profiles on one GPU, counted. Two layouts can have one geometry. */
export type Geometry = Readonly<Record<ProfileName, number>>

/** Memory slices as bits: bit 0 is memory slice 0. */
export type Mask = number

export type Feasibility = { readonly kind: 'feasible' } | { readonly kind: 'infeasible'; readonly because: string }

/**
 * Whether the board can hold these instances at once: every profile on its menu, every start among the driver's,
 * no overlap, no profile more often than its maximum. Together these are complete: they imply the limit on compute slices.
 */
export function isFeasible(board: Board, layout: Layout): Feasibility {
  const because =
    misplaced(board, layout) ??
    tooMany(
      board,
      layout.map((instance) => instance.profile),
    ) ??
    overlapping(layout)
  return because === undefined ? { kind: 'feasible' } : { kind: 'infeasible', because }
}

/** The memory slices that a placement covers. */
export const placementMask = ({ start, size }: Placement): Mask => ((1 << size) - 1) << start

/** The memory slices that a layout covers. */
export const occupancy = (layout: Layout): Mask =>
  layout.reduce((mask, { placement }) => mask | placementMask(placement), 0)

/** The instance that a profile makes at a start, legal or not. */
export const placeAt = (profile: MigProfile, start: number): PlacedInstance => ({
  profile: profile.name,
  placement: { start, size: profile.size },
})

/** A layout's profiles, counted, by name in text order. */
export function geometryOf(layout: Layout): Geometry {
  const geometry: Record<ProfileName, number> = {}
  for (const profile of layout.map((instance) => instance.profile).toSorted()) {
    geometry[profile] = (geometry[profile] ?? 0) + 1
  }
  return geometry
}

/** Compute slices that a layout's instances hold. A profile that the board does not have counts nothing. */
export const computeSlicesOf = (board: Board, layout: Layout): number =>
  layout.reduce((sum, { profile }) => sum + (profileOf(board, profile)?.computeSlices ?? 0), 0)

/** Why these profiles cannot be on the board together, whatever their placements; undefined when counts alone allow it. */
export function tooMany(board: Board, names: readonly ProfileName[]): string | undefined {
  const counts = new Map<MigProfile, number>()
  for (const name of names) {
    const profile = profileOf(board, name)
    if (profile === undefined) return `${board.key} has no profile ${name}`
    counts.set(profile, (counts.get(profile) ?? 0) + 1)
  }
  for (const [{ name, max }, count] of counts) {
    if (count > max) return `${count} × ${name}: ${board.key} takes at most ${max}`
  }
  const needed = [...counts].reduce((sum, [{ size }, count]) => sum + size * count, 0)
  return needed > board.memorySlices
    ? `the instances need ${needed} memory slices, ${board.key} has ${board.memorySlices}`
    : undefined
}

function misplaced(board: Board, layout: Layout): string | undefined {
  for (const { profile: name, placement } of layout) {
    const profile = profileOf(board, name)
    if (profile === undefined) return `${board.key} has no profile ${name}`
    if (profile.size !== placement.size) {
      return `${name} covers ${profile.size} memory slices on ${board.key}, not ${placement.size}`
    }
    if (!profile.starts.includes(placement.start)) {
      return `${name} cannot start at memory slice ${placement.start} of ${board.key}, only at ${profile.starts.join(', ')}`
    }
  }
  return undefined
}

function overlapping(layout: Layout): string | undefined {
  let taken: Mask = 0
  for (const instance of layout) {
    const mask = placementMask(instance.placement)
    if ((taken & mask) !== 0) return `${describe(instance)} overlaps another instance`
    taken |= mask
  }
  return undefined
}

const describe = ({ profile, placement }: PlacedInstance): string => `${profile} at memory slice ${placement.start}`
