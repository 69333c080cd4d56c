import { explore, type Explored } from './explore.ts'
import { aCut, aStop, twoCuts } from './scenarios.ts'
import type { Left, Scenario } from './world.ts'

/** How many act, and what goes wrong how often. */
type Case = readonly [
  make: (left: Partial<Left>, more: Partial<Scenario>) => Scenario,
  actors: number,
  left: Partial<Left>,
]

/** What goes wrong once, each by itself, to its end. */
export const ONE_FAULT: readonly Case[] = [
  [aCut, 1, { crash: 1 }],
  [aCut, 1, { lost: 1 }],
  [aCut, 1, { late: 1 }],
  [aCut, 1, { refused: 1 }],
  [aCut, 1, { mig: 1 }],
  [aCut, 1, { undo: 1 }],
  [aCut, 2, {}],
  [aStop, 1, { crash: 1 }],
  [aStop, 1, { lost: 1 }],
  [aStop, 1, { foreign: 1, undo: 1 }],
  [twoCuts, 1, {}],
]

/** Two or three at once, and two who act of whom one stands still for a while. */
export const FAULTS_TOGETHER: readonly (readonly Case[])[] = [
  [
    [aCut, 1, { lease: 1, long: 1 }],
    [aCut, 1, { foreign: 1 }],
    [aCut, 1, { stale: 1, slow: 2 }],
    [aCut, 1, { foreign: 1, undo: 1 }],
    [aCut, 1, { foreign: 1, crash: 1 }],
    [aCut, 1, { foreign: 1, late: 1 }],
    [aCut, 1, { crash: 1, late: 1 }],
    [aCut, 1, { crash: 1, undo: 1, mig: 1 }],
    [aCut, 1, { lost: 1, refused: 1, undo: 1 }],
    [aCut, 1, { stop: 1, crash: 1 }],
    [aCut, 1, { slow: 2, mig: 1, lost: 1, undo: 1 }],
  ],
  [
    [aCut, 2, { pause: 1 }],
    [aCut, 2, { pause: 1, late: 1, undo: 1 }],
    [aCut, 2, { lease: 1, pause: 1, stop: 1 }],
    [aStop, 1, { late: 1, undo: 1 }],
    [aStop, 1, { foreign: 1, undo: 1, crash: 1 }],
    [aStop, 1, { foreign: 1, undo: 1, late: 1, lost: 1 }],
    [aStop, 1, { stop: 1, undo: 1, crash: 1 }],
    [aStop, 2, { pause: 1, crash: 1, undo: 1 }],
    [aStop, 2, { pause: 1, late: 1, foreign: 1 }],
    [twoCuts, 1, { long: 1, crash: 1 }],
    [twoCuts, 1, { late: 1, lost: 1 }],
    [twoCuts, 2, { pause: 1 }],
  ],
]

/** What was found: of each case, and in all. */
export type Found = {
  readonly states: number
  readonly moves: number
  readonly complete: number
  readonly flaws: readonly string[]
}

/** Explores one case after the other, each to so many states at most. */
export async function exploreAll(cases: readonly Case[], most: number): Promise<Found> {
  const all: Explored[] = []
  const flaws: string[] = []
  for (const [make, actors, left] of cases) {
    const scenario = make(left, { actors })
    // One after the other, as each fills the memory.
    // oxlint-disable-next-line no-await-in-loop
    const explored = await explore(scenario, { states: most })
    all.push(explored)
    flaws.push(
      ...explored.found.map(({ flaw, trace }) =>
        [`${scenario.name}, ${JSON.stringify(left)}: ${flaw}`, ...trace].join('\n  '),
      ),
    )
  }
  const sum = (of: (explored: Explored) => number): number => all.reduce((total, each) => total + of(each), 0)
  return {
    states: sum(({ states }) => states),
    moves: sum(({ moves }) => moves),
    complete: sum(({ isComplete }) => Number(isComplete)),
    flaws,
  }
}
