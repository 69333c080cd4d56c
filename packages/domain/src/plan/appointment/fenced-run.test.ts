import { describe, expect, test } from 'vitest'

import { seconds } from '../../units.ts'
import { runFenced } from './fenced-run.fake.ts'

describe('appointments on a cluster where work comes and goes', () => {
  test.each([1, 2, 3])('are kept with no fence broken and nobody evicted who was let in, seed %i', (seed) => {
    const run = runFenced({ seed, hours: 500, nodes: 8, arrivals: 0.4, appointments: 10 })
    expect(run.faults).toEqual([])
    // Where a disruption budget binds, nothing proves that no other pods would do.
    expect(run.proven / (run.asked - run.refused)).toBeGreaterThan(0.9)
    // Else nothing would have been tried.
    expect(Math.min(run.kept, run.refused, run.evicted, run.backfilled)).toBeGreaterThan(1)
  })

  test('are kept too where nodes are closed later, as no work runs longer', () => {
    const run = runFenced({
      seed: 4,
      hours: 500,
      nodes: 8,
      arrivals: 0.4,
      appointments: 10,
      longest: seconds(12 * 3600),
    })
    expect(run.faults).toEqual([])
    expect(run.kept).toBeGreaterThan(10)
  })
})
