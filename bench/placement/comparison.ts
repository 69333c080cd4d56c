import type { ArrivalRun } from './arrival-run.ts'

/** The same arrivals, in the same order, for several policies, each on a fleet of its own. */
export type Comparison<Pod, One extends Advancing> = {
  readonly arrivals: readonly Pod[]
  /** One per policy, in the order that was asked for. */
  readonly simulations: readonly One[]
  /** Places the next pods with every policy; false when none is left. */
  advance(pods: number): boolean
  /**
   * Goes on in small pieces of work while `more` says so, for example while a frame has time left; one piece at least.
   * Between calls all policies have seen the same pods. False when none is left.
   */
  advanceWhile(more: () => boolean): boolean
}

type Advancing = Pick<ArrivalRun<unknown, unknown>, 'advance' | 'prepare'>

/** Joins what was opened for each policy on the same arrivals. */
export function compareRuns<Pod, One extends Advancing>(
  arrivals: readonly Pod[],
  simulations: readonly One[],
): Comparison<Pod, One> {
  const advance = (pods: number): boolean => simulations.map((one) => one.advance(pods)).some(Boolean)
  /** One piece: a part of what some policy needs before the next pod, or that pod for all of them. */
  const onePiece = (): boolean => (simulations.every((one) => one.prepare()) ? advance(1) : true)
  return {
    arrivals,
    simulations,
    advance,
    advanceWhile: (more) => {
      let left = onePiece()
      while (left && more()) left = onePiece()
      return left
    },
  }
}
