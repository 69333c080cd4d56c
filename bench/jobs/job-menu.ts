import { type Board, compareText, enumerateLayouts, type Layout, type ProfileName } from '@septet/domain'

/**
 * The geometries that one GPU can have over the profiles for which speeds are known, as states of a dynamic program: state 0 is the empty
 * GPU, `before[state × profiles + p]` the same GPU with one instance of profile p less (-1: it has none).
 */
export type JobMenu = {
  readonly board: Board
  /** Smallest first; speeds are listed in this order. */
  readonly profiles: readonly ProfileName[]
  /** One layout of each geometry, its instances by start. */
  readonly layouts: readonly Layout[]
  /** Instances of each profile, for each state. */
  readonly counts: ReadonlyArray<readonly number[]>
  readonly before: Int16Array
  /** For each state, the states that hold no more of any profile; fewest instances first. */
  readonly within: readonly Int16Array[]
  /** All states, fewest instances first. */
  readonly states: Int16Array
  /** States to which no instance can be added. */
  readonly maximal: readonly number[]
  /** For each state, the maximal state to cut instead: it costs nothing more, and its spare instances are as large as can be. */
  readonly completed: Int16Array
}

/**
 * The menu of a board over these profiles. Throws when the board lacks one, because a speed table of another board would
 * otherwise plan layouts that cannot exist.
 */
export function jobMenu(board: Board, names: readonly ProfileName[]): JobMenu {
  const profiles = board.profiles
    .filter((profile) => names.includes(profile.name))
    .toSorted((a, b) => a.computeSlices - b.computeSlices || a.size - b.size || compareText(a.name, b.name))
  const unknown = names.filter((name) => !profiles.some((profile) => profile.name === name))
  if (unknown.length > 0) throw new RangeError(`${board.key} has no profile ${unknown.join(', ')}`)
  const ordered = profiles.map((profile) => profile.name)
  const byKey = new Map<string, { readonly layout: Layout; readonly counts: readonly number[] }>()
  for (const layout of enumerateLayouts(board, profiles)) {
    const counts = countsOf(layout, ordered)
    if (!byKey.has(counts.join())) byKey.set(counts.join(), { layout, counts })
  }
  const entries = [...byKey.values()].toSorted(
    (a, b) => a.layout.length - b.layout.length || compareText(a.counts.join(), b.counts.join()),
  )
  const counts = entries.map((entry) => entry.counts)
  const before = predecessors(counts, ordered.length)
  const layouts = entries.map((entry) => entry.layout)
  const maximal = [...counts.keys()].filter((state) => !before.includes(state))
  return {
    board,
    profiles: ordered,
    layouts,
    counts,
    before,
    within: counts.map((limit) =>
      Int16Array.from([...counts.keys()].filter((state) => holdsNoMore(counts[state] ?? [], limit))),
    ),
    states: Int16Array.from(counts.keys()),
    maximal,
    completed: Int16Array.from(counts.map((vector) => completion(counts, maximal, vector))),
  }
}

/** The state that a layout's geometry is. */
export const stateOf = ({ counts, profiles }: JobMenu, layout: Layout): number => {
  const own = countsOf(layout, profiles).join()
  return counts.findIndex((vector) => vector.join() === own)
}

const countsOf = (layout: Layout, profiles: readonly ProfileName[]): readonly number[] =>
  profiles.map((name) => layout.filter((instance) => instance.profile === name).length)

const holdsNoMore = (counts: readonly number[], limit: readonly number[]): boolean =>
  counts.every((count, profile) => count <= (limit[profile] ?? 0))

function predecessors(counts: ReadonlyArray<readonly number[]>, profiles: number): Int16Array {
  const index = new Map(counts.map((vector, state) => [vector.join(), state]))
  const before = new Int16Array(counts.length * profiles).fill(-1)
  for (const [state, vector] of counts.entries()) {
    for (let profile = 0; profile < profiles; profile += 1) {
      const less = vector.map((count, at) => (at === profile ? count - 1 : count))
      before[state * profiles + profile] = index.get(less.join()) ?? -1
    }
  }
  return before
}

function completion(
  all: ReadonlyArray<readonly number[]>,
  maximal: readonly number[],
  vector: readonly number[],
): number {
  const larger = maximal.filter((state) => holdsNoMore(vector, all[state] ?? []))
  // Spare instances from the largest profile down, so that whoever comes next finds the largest instance ready.
  const spare = (state: number): readonly number[] =>
    (all[state] ?? []).map((count, profile) => count - (vector[profile] ?? 0)).toReversed()
  return larger.reduce((best, state) => (isGreater(spare(state), spare(best)) ? state : best), larger[0] ?? 0)
}

function isGreater(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, index) => value !== b[index])
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0)
}
