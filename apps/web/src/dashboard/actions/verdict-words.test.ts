import type { ScenarioOutcome } from '@septet/domain'
import { expect, test } from 'vitest'

import { verdictWords } from './VerdictLine.tsx'

const outcome = (run: string, needed: number, more: Partial<ScenarioOutcome> = {}): ScenarioOutcome =>
  ({
    run,
    needed,
    costNeeded: needed * 1000,
    waitP95: 0,
    stranded: 1,
    usedMean: needed / 2,
    ...more,
  }) as ScenarioOutcome

test('one sentence says who wins, by how many GPUs and dollars; the next ones how long work waits, and why', () => {
  const outcomes = [outcome('mig.best-fit', 251, { waitP95: 1800, stranded: 4 }), outcome('mig.septet-elastic', 248)]
  expect(verdictWords({ outcomes })).toEqual({
    headline:
      '“MIG on demand, Septet, fewest GPUs” needs 248 GPUs for zero wait: 3 fewer than the best other policy, “MIG on demand, best fit” (251), $3,000 a month less.',
    why: 'On this fleet, 95% of pods wait at most 0 s, compared with 30 min. It leaves 3.0 fewer GPUs’ worth of unusable fragments.',
  })
})

test('where Septet loses the sentence says so', () => {
  const { headline } = verdictWords({ outcomes: [outcome('mig.best-fit', 251), outcome('mig.septet-finish', 291)] })
  expect(headline).toContain('“MIG on demand, best fit” needs 251 GPUs')
  expect(headline).toContain('40 fewer than the best of Septet’s, “MIG on demand, Septet, easiest to finish” (291)')
})

test('without a price no money is named', () => {
  const outcomes = [outcome('today', 9, { costNeeded: null }), outcome('mig.septet-finish', 9, { costNeeded: null })]
  expect(verdictWords({ outcomes }).headline).toBe(
    '“MIG on demand, Septet, easiest to finish” needs 9 GPUs for zero wait, as many as the best other policy, “MIG as today”.',
  )
})
