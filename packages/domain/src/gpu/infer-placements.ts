import { compareText } from '../units.ts'
import { profileOf, type Board, type MigProfile } from './board.ts'
import type { ProfileName } from './geometry.ts'
import { placeAt, placementMask, tooMany, type Layout, type Mask } from './layout.ts'
import { bestCompletion } from './occupancy.ts'

/**
 * Placements for profiles whose placements nobody reported: the nth instance is the nth name. Of all feasible layouts it
 * is the one that leaves most compute slices free, and of these the one with the lowest starts; so what is then called
 * stranded is stranded wherever the instances really sit. Undefined when no layout holds these profiles.
 */
export function inferPlacements(board: Board, names: readonly ProfileName[]): Layout | undefined {
  const arrangement = arrange(board, names)
  return arrangement.kind === 'feasible' ? arrangement.layout : undefined
}

export type Arrangement =
  | { readonly kind: 'feasible'; readonly layout: Layout }
  | { readonly kind: 'infeasible'; readonly because: string }

/** `inferPlacements`, with the reason where there is no layout: for what a person typed or a page printed. */
export function arrange(board: Board, names: readonly ProfileName[]): Arrangement {
  const because = tooMany(board, names)
  if (because !== undefined) return { kind: 'infeasible', because }
  const order = names.map((_, index) => index).toSorted((a, b) => largestFirst(board, names[a], names[b]) || a - b)
  const profiles = order.flatMap((index) => profileOf(board, names[index] ?? '') ?? [])
  const starts = startsFor(board, profiles)
  if (starts === undefined) {
    return { kind: 'infeasible', because: `no placement of ${names.join(' + ')} on ${board.key} is without overlap` }
  }
  const layout = names.flatMap((name, index) => {
    const rank = order.indexOf(index)
    const profile = profiles[rank]
    const start = starts[rank]
    return profile === undefined || start === undefined ? [] : [{ ...placeAt(profile, start), profile: name }]
  })
  return { kind: 'feasible', layout }
}

function largestFirst(board: Board, a = '', b = ''): number {
  const first = profileOf(board, a)
  const second = profileOf(board, b)
  if (first === undefined || second === undefined) return 0
  return second.size - first.size || second.computeSlices - first.computeSlices || compareText(first.name, second.name)
}

const searched = new WeakMap<Board, Map<string, readonly number[] | undefined>>()

/** Starts for profiles that come largest first. Fleets repeat few geometries, so each is searched once. */
function startsFor(board: Board, profiles: readonly MigProfile[]): readonly number[] | undefined {
  const known = searched.get(board) ?? new Map<string, readonly number[] | undefined>()
  searched.set(board, known)
  const key = profiles.map((profile) => profile.name).join(' ')
  if (!known.has(key)) known.set(key, search(board, profiles))
  return known.get(key)
}

function search(board: Board, profiles: readonly MigProfile[]): readonly number[] | undefined {
  let best: { readonly starts: readonly number[]; readonly completion: number } | undefined
  extend([], 0)
  return best?.starts

  function extend(starts: readonly number[], taken: Mask): void {
    const profile = profiles[starts.length]
    if (profile === undefined) {
      const completion = bestCompletion(board, taken)
      if (best === undefined || completion > best.completion) best = { starts, completion }
      return
    }
    // Equal profiles are interchangeable: keep their starts rising, and each layout is met once.
    const previous = profiles[starts.length - 1] === profile ? starts.at(-1) : undefined
    for (const start of profile.starts) {
      const mask = placementMask({ start, size: profile.size })
      if ((taken & mask) === 0 && start > (previous ?? -1)) extend([...starts, start], taken | mask)
    }
  }
}
