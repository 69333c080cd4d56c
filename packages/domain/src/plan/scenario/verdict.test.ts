import { expect, test } from 'vitest'

import type { ScenarioOutcome } from './scenario.ts'
import { rankedOutcomes, verdictOf } from './verdict.ts'

const outcome = (run: string, needed: number | null, more: Partial<ScenarioOutcome> = {}): ScenarioOutcome =>
  ({ run, needed, costNeeded: null, waitP95: 0, ...more }) as ScenarioOutcome

test('who needs the fewest GPUs leads, and is set against the best of the other side', () => {
  const outcomes = [
    outcome('today', 310),
    outcome('mig.septet-finish', 291),
    outcome('mig.best-fit', 251),
    outcome('mig.septet-elastic', 248),
  ]
  expect(rankedOutcomes(outcomes).map(({ run }) => run)).toEqual([
    'mig.septet-elastic',
    'mig.best-fit',
    'mig.septet-finish',
    'today',
  ])
  expect(verdictOf(outcomes)).toMatchObject({
    winner: { run: 'mig.septet-elastic' },
    other: { run: 'mig.best-fit' },
  })
})

test('where another way wins, that is what is said', () => {
  const outcomes = [outcome('mig.septet-finish', 291), outcome('mig.best-fit', 251), outcome('mig.fgd', 260)]
  expect(verdictOf(outcomes)).toMatchObject({ winner: { run: 'mig.best-fit' }, other: { run: 'mig.septet-finish' } })
})

test('equal numbers of GPUs are told apart by their cost, then by waiting, and Septet is never put after its equal', () => {
  const cheap = outcome('whole.fgd', 9, { costNeeded: 10 })
  const dear = outcome('whole.septet', 9, { costNeeded: 12 })
  expect(verdictOf([dear, cheap])).toMatchObject({ winner: { run: 'whole.fgd' } })
  expect(verdictOf([outcome('today', 9), outcome('mig.septet-finish', 9)])).toMatchObject({
    winner: { run: 'mig.septet-finish' },
  })
})

test('what was not found to serve the work wins nothing', () => {
  expect(verdictOf([outcome('mig.septet-finish', null), outcome('today', 9)])).toBeUndefined()
  expect(verdictOf([outcome('mig.fgd', 8), outcome('today', 9)])).toBeUndefined()
})
