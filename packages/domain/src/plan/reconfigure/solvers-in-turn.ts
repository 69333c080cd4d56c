import type { LinearAnswer, LinearSolver } from '../linear-program.ts'

type Found = Extract<LinearAnswer, { kind: 'feasible' }>

/**
 * Asks one solver after the other until one has a proof; else the cheapest answer found, with the highest bound. With the
 * diving solver first, the exact one is asked only where rounding does not reach the bound. Closing closes all.
 */
export const solversInTurn = (...solvers: readonly LinearSolver[]): LinearSolver => ({
  async solve(program, limits) {
    let best: Found | undefined
    let last: LinearAnswer = { kind: 'unknown', bound: undefined, because: 'there is no solver' }
    for (const solver of solvers) {
      // oxlint-disable-next-line no-await-in-loop -- the next one is asked only where this one has no proof
      last = await solver.solve(program, limits)
      if (last.kind !== 'feasible' && last.kind !== 'unknown') return last
      best = better(best, last)
    }
    return best ?? last
  },
  async close() {
    await Promise.all(solvers.map((solver) => solver.close()))
  },
})

function better(
  best: Found | undefined,
  next: Extract<LinearAnswer, { kind: 'feasible' | 'unknown' }>,
): Found | undefined {
  if (next.kind === 'unknown') {
    return best === undefined ? undefined : { ...best, bound: Math.max(best.bound, next.bound ?? -Infinity) }
  }
  if (best === undefined) return next
  const bound = Math.max(best.bound, next.bound)
  return best.cost <= next.cost ? { ...best, bound } : { ...next, bound }
}
