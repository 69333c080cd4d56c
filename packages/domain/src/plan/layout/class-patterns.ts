import { plainProfiles, profileOf, type Board, type MigProfile } from '../../gpu/board.ts'
import { maximalGeometries } from '../../gpu/enumerate-layouts.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import type { Geometry } from '../../gpu/layout.ts'
import { placeableTogether } from '../../gpu/occupancy.ts'
import { compareText } from '../../units.ts'
import { WHOLE_GPU } from '../../gpu/whole-gpu.ts'
import { onceFor } from '../../once-for.ts'

/** A way to use one GPU: its geometry, and how many instances it has of each profile that somebody asks for. */
export type Pattern = {
  readonly geometry: Geometry
  /** In the order of the profiles asked for. */
  readonly counts: readonly number[]
  /** Compute slices that no instance covers; 0 for a GPU that is not cut. */
  readonly stranded: number
}

/**
 * The ways to use one GPU that matter to somebody who asks for these profiles: the board's maximal geometries, without
 * those that another one beats, and the GPU as a whole where that is asked for. A pattern without counts for anything
 * that is asked for is left out.
 */
export function patternsFor(board: Board | undefined, asked: readonly ProfileName[]): readonly Pattern[] {
  if (board === undefined) return makePatterns(board, asked)
  const ofBoard = patterns(board)
  // Not by joining: nothing asked for and a whole GPU, whose name is empty, would be one.
  const key = JSON.stringify(asked)
  const known = ofBoard.get(key) ?? makePatterns(board, asked)
  ofBoard.set(key, known)
  return known
}

// What depends on nothing but the board is made once: a fleet is planned again and again.
const patterns = onceFor((_board: Board) => new Map<string, readonly Pattern[]>())

function makePatterns(board: Board | undefined, asked: readonly ProfileName[]): readonly Pattern[] {
  const found = geometriesFor(board, asked).map((geometry): Pattern => ({
    geometry,
    counts: asked.map((profile) => geometry[profile] ?? 0),
    stranded: board === undefined || WHOLE_GPU in geometry ? 0 : board.computeSlices - computeOf(board, geometry),
  }))
  const useful = found.filter(({ counts }) => counts.some((count) => count > 0))
  return useful
    .toSorted((a, b) => a.stranded - b.stranded)
    .filter((pattern, index, list) => !list.some((other, rank) => beats(other, pattern, rank < index)))
}

/** Every maximal way to use one GPU, over the plain profiles and the variants among `asked`. */
export function geometriesFor(board: Board | undefined, asked: readonly ProfileName[]): readonly Geometry[] {
  const whole = asked.includes(WHOLE_GPU) ? [{ [WHOLE_GPU]: 1 }] : []
  if (board === undefined || asked.every((profile) => profile === WHOLE_GPU)) return whole
  const plain = plainProfiles(board)
  const variants = board.profiles.filter((profile) => !plain.includes(profile) && asked.includes(profile.name))
  return [...whole, ...knownGeometries(board, [...plain, ...variants])]
}

/**
 * Whether an instance of `small` can always take the place of one of `large`: there is a start for it inside wherever
 * `large` starts, and its maximum never binds. Then who accepts both never needs the larger.
 */
export function replaces(board: Board, small: MigProfile, large: MigProfile): boolean {
  return (
    large.starts.every((start) =>
      small.starts.some((inner) => inner >= start && inner + small.size <= start + large.size),
    ) && small.max >= placeableTogether(board, 0, { ...small, max: Infinity })
  )
}

/** Of the profiles that a demand accepts on a board, those that no other accepted one replaces; canonical names. */
export function neededProfiles(board: Board | undefined, accepted: readonly ProfileName[]): readonly ProfileName[] {
  const whole = accepted.includes(WHOLE_GPU) ? [WHOLE_GPU] : []
  if (board === undefined) return whole
  const rows = [...new Set(accepted.flatMap((name) => profileOf(board, name) ?? []))].toSorted(
    (a, b) => board.profiles.indexOf(a) - board.profiles.indexOf(b),
  )
  const needed = rows.filter(
    (row, index) =>
      !rows.some(
        (other, rank) =>
          rank !== index && replaces(board, other, row) && (rank < index || !replaces(board, row, other)),
      ),
  )
  return needed.length > 0 ? needed.map(({ name }) => name) : whole
}

const computeOf = (board: Board, geometry: Geometry): number =>
  Object.entries(geometry).reduce(
    (sum, [profile, count]) => sum + count * (profileOf(board, profile)?.computeSlices ?? 0),
    0,
  )

const beats = (other: Pattern, pattern: Pattern, earlier: boolean): boolean =>
  other !== pattern &&
  other.counts.every((count, index) => count >= (pattern.counts[index] ?? 0)) &&
  (earlier || other.counts.some((count, index) => count > (pattern.counts[index] ?? 0)))

const geometries = onceFor((_board: Board) => new Map<string, readonly Geometry[]>())

function knownGeometries(board: Board, profiles: readonly MigProfile[]): readonly Geometry[] {
  const ofBoard = geometries(board)
  const key = profiles
    .map(({ name }) => name)
    .toSorted(compareText)
    .join(' ')
  const known = ofBoard.get(key) ?? maximalGeometries(board, profiles)
  ofBoard.set(key, known)
  return known
}
