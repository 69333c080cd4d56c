import type { ScenarioOutcome } from './scenario.ts'

/** Ways to place that are Septet's own; all others are what there is beside it. */
export const isOurs = (run: string): boolean => /\.septet/u.test(run)

export type ScenarioVerdict = {
  readonly winner: ScenarioOutcome
  /** The best of the other side: of what there is beside Septet where Septet wins, else the best of Septet's. */
  readonly other: ScenarioOutcome
}

/**
 * Who serves the work with the fewest GPUs so that nobody waits, Septet or the best of the others; by cost where these are
 * equal, then by waiting. Undefined where either side is missing or was not found to serve it.
 */
export function verdictOf(outcomes: readonly ScenarioOutcome[]): ScenarioVerdict | undefined {
  const ranked = rankedOutcomes(outcomes).filter(({ needed }) => needed !== null)
  const [winner] = ranked
  const other = ranked.find(({ run }) => winner !== undefined && isOurs(run) !== isOurs(winner.run))
  return winner === undefined || other === undefined ? undefined : { winner, other }
}

/** The best way first; ties keep the order that was asked for, with Septet's own first. */
export const rankedOutcomes = (outcomes: readonly ScenarioOutcome[]): readonly ScenarioOutcome[] =>
  outcomes.toSorted(
    (a, b) =>
      byKnown(a.needed, b.needed) ||
      byKnown(a.costNeeded, b.costNeeded) ||
      byKnown(a.waitP95, b.waitP95) ||
      Number(isOurs(b.run)) - Number(isOurs(a.run)),
  )

const byKnown = (a: number | null, b: number | null): number => (a === b ? 0 : a === null ? 1 : b === null ? -1 : a - b)
