import { solveBySimplex } from '../linear/simplex.ts'
import type { LinearAnswer } from '../linear/linear-program.ts'
import { coverExactly } from './cover-search.ts'
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

/** How many GPUs of each used pattern the search may lay out anew, in rounds. */
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
