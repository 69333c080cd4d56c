import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { ratio, seconds, usdPerGpuHour } from '../../units.ts'
import type { LinearAnswer, LinearSolver } from '../linear/linear-program.ts'
import { branchAndBound } from './branch-and-bound.fake.ts'
import { bruteForce } from './brute-force.fake.ts'
import type { LayoutAnswer, LayoutPlan } from './layout-answer.ts'
import type { LayoutProblem } from './layout-problem.ts'
import { demand, layoutProblems, supply } from './layout-problem.fixture.ts'
import { planLayout } from './plan-layout.ts'
import { proveLayout } from './prove-layout.ts'
import { unlawful } from './unlawful.contract.ts'

const LIMITS = { seconds: seconds(10), gap: ratio(0) }

function planned(answer: LayoutAnswer): LayoutPlan {
  if (answer.kind === 'invalid') throw new Error(answer.because.join('; '))
  return answer
}

const prove = async (problem: LayoutProblem, solver: LinearSolver): Promise<LayoutPlan> =>
  planned(await proveLayout(problem, solver, LIMITS))

const saying = (answer: LinearAnswer): LinearSolver => ({
  solve: () => Promise.resolve(answer),
  close: () => Promise.resolve(),
})

// Here the bound by prices stays below what the plan costs, so without a search the plan is not proven best.
const open: LayoutProblem = {
  classes: [
    supply('a', { price: usdPerGpuHour(1.01) }),
    supply('b', { price: usdPerGpuHour(1.23) }),
    supply('c', { price: usdPerGpuHour(2.17) }),
  ],
  demands: [demand('one', 3, 'a 3g.40gb', 'b 1g.10gb'), demand('two', 4, 'b 2g.20gb', 'c 1g.10gb')],
}

describe('a proof by a solver', () => {
  test('reaches the best of all plans: most placed, least cost, fewest GPUs (random problems)', async () => {
    await fc.assert(
      fc.asyncProperty(layoutProblems({ supply: 2, count: 4, demands: 3 }), async (problem) => {
        const answer = await prove(problem, branchAndBound)
        const best = bruteForce(problem)
        expect(unlawful(problem, answer)).toEqual([])
        expect(answer.quality.proof).toBe('optimal')
        expect(answer.totals.unplacedGpus).toBeCloseTo(best.unplaced, 6)
        expect(answer.quality.reached).toBeCloseTo(best.cost, 5)
        expect(answer.totals.gpus).toBe(best.gpus)
      }),
      { numRuns: 150, seed: 6 },
    )
  })

  test('is never behind the plan without it (random problems)', async () => {
    await fc.assert(
      fc.asyncProperty(layoutProblems({ supply: 6, count: 9, demands: 4 }), async (problem) => {
        const before = planned(planLayout(problem))
        const after = await prove(problem, branchAndBound)
        expect(after.totals.unplacedGpus).toBeLessThanOrEqual(before.totals.unplacedGpus + 1e-9)
        if (after.totals.unplacedGpus < before.totals.unplacedGpus - 1e-9) return
        expect(after.quality.reached).toBeLessThanOrEqual(before.quality.reached + 1e-9)
      }),
      { numRuns: 40, seed: 7 },
    )
  })

  test('keeps the plan and its bound when the solver gives up, and says why', async () => {
    const before = planned(planLayout(open))
    const after = await prove(open, saying({ kind: 'unknown', bound: undefined, because: 'out of time' }))
    expect(before.quality.proof).toBe('within-gap')
    expect(after).toEqual({
      ...before,
      quality: { ...before.quality, notes: ['Not proven: the least cost (out of time).'] },
    })
  })

  test('does not believe a status that cannot be, nor a plan with more GPUs than there are', async () => {
    const before = planned(planLayout(open))
    const values = Array.from({ length: 200 }, () => 1000)
    for (const lie of [
      { kind: 'infeasible' },
      { kind: 'unbounded' },
      { kind: 'feasible', cost: 0, values, bound: 0, because: 'out of time' },
    ] satisfies LinearAnswer[]) {
      const after = await prove(open, saying(lie))
      expect(after.layouts).toEqual(before.layouts)
      expect(after.quality.bound).toEqual(before.quality.bound)
      expect(after.quality.notes).toHaveLength(1)
    }
  })

  test('is not asked for where the plan is proven as well as wanted', async () => {
    const never: LinearSolver = { solve: () => Promise.reject(new Error('asked')), close: () => Promise.resolve() }
    const answer = await proveLayout(open, never, { seconds: seconds(1), gap: ratio(0.9) })
    expect(planned(answer).quality.proof).toBe('within-gap')
  })

  test('refuses what the plan refuses', async () => {
    const answer = await proveLayout({ classes: [], demands: [demand('x', -1)] }, branchAndBound, LIMITS)
    expect(answer.kind).toBe('invalid')
  })
})
