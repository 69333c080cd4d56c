import { listed, plural } from '@septet/domain/words'
import {
  arrange,
  bestCompletion,
  computeSlicesOf,
  freeMemorySlices,
  isFeasible,
  placeable,
  placeAt,
  plainProfiles,
  type Board,
  type Layout,
  type MigProfile,
} from '@septet/domain'

import { span } from '../../geometry/partition-words.ts'

/** One profile of the board's menu beside a layout: where it would go, or why it cannot. */
export type Offer =
  | { readonly kind: 'fits'; readonly profile: MigProfile; readonly start: number; readonly because: string }
  | {
      readonly kind: 'refused'
      readonly profile: MigProfile
      readonly because: string
      /** The same instances with this one, where another placement of all of them holds it. */
      readonly anew: Layout | undefined
    }

/** What can still be added to a layout, for every profile of the board without media or graphics variants. */
export const offersOf = (board: Board, layout: Layout): readonly Offer[] =>
  plainProfiles(board).map((profile) => offerOf(board, layout, profile))

/** Adds an instance where it leaves most of the GPU in reach; undefined when it does not fit. */
export function addTo(board: Board, layout: Layout, offer: Offer): Layout | undefined {
  if (offer.kind === 'refused') return undefined
  const grown = [...layout, placeAt(offer.profile, offer.start)].toSorted(byStart)
  return isFeasible(board, grown).kind === 'feasible' ? grown : undefined
}

function offerOf(board: Board, layout: Layout, profile: MigProfile): Offer {
  const reaches = placeable(board, layout, profile).map((start) => ({
    start,
    left: bestCompletion(board, [...layout, placeAt(profile, start)]),
  }))
  const best = reaches.toSorted((a, b) => b.left - a.left || a.start - b.start)[0]
  if (best !== undefined)
    return { kind: 'fits', profile, start: best.start, because: whereWords(profile, best, reaches) }
  const arrangement = arrange(board, [...layout.map((instance) => instance.profile), profile.name])
  const anew = arrangement.kind === 'feasible' ? arrangement.layout.toSorted(byStart) : undefined
  return { kind: 'refused', profile, because: whyNot(board, layout, profile), anew }
}

type Reach = { readonly start: number; readonly left: number }

/** Where it goes; and, where another place would leave less, how much less. */
function whereWords({ size }: MigProfile, best: Reach, reaches: readonly Reach[]): string {
  const worse = reaches.find(({ left }) => left < best.left)
  const goes = `Goes to ${span({ start: best.start, size })}`
  return worse === undefined
    ? `${goes}.`
    : `${goes}: ${plural(best.left, 'compute slice')} can still be used then, at ${span({ start: worse.start, size })} only ${worse.left}.`
}

/** Why a profile that has no place left has none: too few compute slices, too few memory slices, or none in a row where it may start. */
function whyNot(board: Board, layout: Layout, profile: MigProfile): string {
  const compute = board.computeSlices - computeSlicesOf(board, layout)
  const memory = freeMemorySlices(board, layout)
  const lacks = [
    ...(profile.computeSlices > compute ? [lack(profile.computeSlices, 'compute slice', compute)] : []),
    ...(profile.size > memory ? [lack(profile.size, 'memory slice', memory)] : []),
  ]
  if (lacks.length > 0) return `Needs ${listed(lacks)}.`
  return `${plural(memory, 'memory slice is', 'memory slices are')} free, but it covers ${profile.size} in a row and starts only at ${listed(profile.starts, 'or')}.`
}

const lack = (needed: number, noun: string, left: number): string =>
  `${plural(needed, noun)} (${left === 0 ? 'none' : left} left)`

const byStart = (a: Layout[number], b: Layout[number]): number => a.placement.start - b.placement.start
