import { solveBySimplex } from '../linear/simplex.ts'
import type { LinearAnswer } from '../linear/linear-program.ts'
import { sum } from './draft-layout.ts'

/**
 * The fewest GPUs of one class that hold so many instances of each profile: the linear program, rounded down, and an
 * exact search for the rest, which keeps more and more of the rounded part open until it reaches the bound or gives up.
 * Returns GPUs by pattern; `counts` is by pattern and profile.
 */
export function packClass(counts: ReadonlyArray<readonly number[]>, wanted: readonly number[]): readonly number[] {
  const answer = solveBySimplex({
    cost: counts.map(() => 1),
    upper: counts.map(() => Infinity),
    rows: wanted.map((bound, profile) => ({
      kind: 'at-least',
      bound,
      terms: counts.flatMap((each, pattern) => {
        const count = each[profile] ?? 0
        return count > 0 ? [[pattern, count] as const] : []
      }),
    })),
  })
  if (answer.kind !== 'optimal') return coverExactly({ counts, wanted, limit: Infinity, prices: [] }) ?? []
  return searchFrom(counts, wanted, answer)
}

type Optimal = Extract<LinearAnswer, { kind: 'optimal' }>

/** How many GPUs of each used pattern the search may lay out again, in rounds. */
const REOPENED = [0, 1, 2, 4]

function searchFrom(
  counts: ReadonlyArray<readonly number[]>,
  wanted: readonly number[],
  { values, cost, prices }: Optimal,
): readonly number[] {
  const fewest = Math.ceil(cost - 1e-6)
  let best: readonly number[] | undefined
  for (const reopened of REOPENED) {
    const kept = values.map((value) => Math.max(0, Math.floor(value + 1e-6) - reopened))
    const rest = wanted.map((bound, profile) =>
      Math.max(0, bound - sum(kept.map((gpus, pattern) => gpus * (counts[pattern]?.[profile] ?? 0)))),
    )
    const limit = best === undefined ? Infinity : sum(best) - sum(kept) - 1
    const added = coverExactly({ counts, wanted: rest, limit, prices, enough: fewest - sum(kept) })
    if (added !== undefined) best = kept.map((gpus, pattern) => gpus + (added[pattern] ?? 0))
    if (best !== undefined && sum(best) <= fewest) return best
  }
  return best ?? []
}

type Cover = {
  /** Instances by pattern and profile. */
  readonly counts: ReadonlyArray<readonly number[]>
  readonly wanted: readonly number[]
  /** Most patterns that may be used. */
  readonly limit: number
  /** What an instance of each profile is worth, so that no pattern is worth more than 1: prunes the search. */
  readonly prices: readonly number[]
  /** Stop at so few. */
  readonly enough?: number
}

/** So many steps bound the search; the best found until then counts. */
const STEPS = 4000

/**
 * The fewest patterns that hold all that is wanted: greedy first, then depth-first search that always serves the last
 * profile still wanted (the largest), cut off by what the prices prove. Undefined when none within the limit was found.
 */
function coverExactly({ counts, wanted, limit, prices, enough = 0 }: Cover): readonly number[] | undefined {
  const chosen: number[] = []
  const rest = [...wanted]
  const seen = new Map<string, number>()
  let best: number[] | undefined = greedy(counts, wanted)
  if (best !== undefined && best.length > limit) best = undefined
  let most = best === undefined ? limit : best.length - 1
  let steps = 0
  if (most >= enough) search()
  if (best === undefined) return undefined
  const result = counts.map(() => 0)
  for (const pattern of best) result[pattern] = (result[pattern] ?? 0) + 1
  return result

  function search(): void {
    const profile = rest.findLastIndex((count) => count > 0)
    if (profile < 0) {
      best = [...chosen]
      most = best.length - 1
      return
    }
    steps += 1
    if (steps > STEPS || chosen.length + proven() > most || wasSeen()) return
    for (const pattern of choices(counts, rest, profile)) {
      const taken = take(pattern)
      chosen.push(pattern)
      search()
      chosen.pop()
      for (const [index, count] of taken.entries()) rest[index] = (rest[index] ?? 0) + count
      if (most < enough || steps > STEPS) return
    }
  }

  function proven(): number {
    const worth = sum(rest.map((count, index) => count * Math.max(0, prices[index] ?? 0)))
    return Math.max(1, Math.ceil(worth - 1e-6))
  }

  function wasSeen(): boolean {
    const key = rest.join(' ')
    const depth = seen.get(key)
    if (depth !== undefined && depth <= chosen.length) return true
    seen.set(key, chosen.length)
    return false
  }

  function take(pattern: number): readonly number[] {
    const taken = rest.map((count, index) => Math.min(count, counts[pattern]?.[index] ?? 0))
    for (const [index, count] of taken.entries()) rest[index] = (rest[index] ?? 0) - count
    return taken
  }
}

type Served = { readonly pattern: number; readonly served: readonly number[]; readonly total: number }

/** The patterns that serve the profile, those that serve most first; without those that serve no more than another. */
function choices(
  counts: ReadonlyArray<readonly number[]>,
  rest: readonly number[],
  profile: number,
): readonly number[] {
  const found = counts.flatMap((each, pattern): Served[] => {
    const served = rest.map((count, index) => Math.min(count, each[index] ?? 0))
    return (served[profile] ?? 0) > 0 ? [{ pattern, served, total: weigh(served) }] : []
  })
  const sorted = found.toSorted((a, b) => b.total - a.total || a.pattern - b.pattern)
  return sorted
    .filter(
      (each, index) =>
        !sorted.some((other, rank) => rank < index && other.served.every((count, k) => count >= (each.served[k] ?? 0))),
    )
    .map(({ pattern }) => pattern)
}

// Profiles come by rising size: later ones weigh more.
const weigh = (served: readonly number[]): number => sum(served.map((count, index) => count * (index + 1)))

function greedy(counts: ReadonlyArray<readonly number[]>, wanted: readonly number[]): number[] | undefined {
  const rest = [...wanted]
  const chosen: number[] = []
  for (;;) {
    const profile = rest.findLastIndex((count) => count > 0)
    if (profile < 0) return chosen
    const [pattern] = choices(counts, rest, profile)
    if (pattern === undefined) return undefined
    for (const index of rest.keys()) rest[index] = Math.max(0, (rest[index] ?? 0) - (counts[pattern]?.[index] ?? 0))
    chosen.push(pattern)
  }
}
