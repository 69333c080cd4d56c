import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { usdPerGpuHour } from '../../units.ts'
import { bruteForce } from './brute-force.fake.ts'
import { WHOLE_GPU } from '../../gpu/whole-gpu.ts'
import type { LayoutProblem } from './layout-problem.ts'
import { demand, layoutProblems, supply } from './layout-problem.fixture.ts'
import { laidOut } from './laid-out.fixture.ts'
import { draftAnswer, planLayout } from './plan-layout.ts'
import { unlawful } from './unlawful.fixture.ts'

/** The figures, with what stands behind them. */
const plan = (problem: LayoutProblem) => ({ ...planLayout(problem), ...laidOut(draftAnswer(problem)) })

describe('a layout', () => {
  test('takes the fewest GPUs, and says that no plan takes fewer', () => {
    const answer = plan({
      classes: [supply('a')],
      demands: [demand('train', 5, '3g.40gb'), demand('infer', 8, '1g.10gb'), demand('tune', 2, '2g.20gb')],
    })
    expect(answer.totals).toEqual({ workloads: 15, gpus: 4, placed: 15 })
    expect(answer.quality).toMatchObject({ bound: 4, gap: 0, proof: 'optimal' })
    expect(answer.unplaced).toEqual([])
  })

  test('prefers the cheaper GPUs as long as there are some', () => {
    const answer = plan({
      classes: [supply('a', { supply: 2, price: usdPerGpuHour(1) }), supply('b', { price: usdPerGpuHour(3) })],
      demands: [demand('infer', 21, 'a 1g.10gb', 'b 1g.10gb')],
    })
    expect(answer.assignments).toEqual([
      { demand: 'infer', supplyClass: 'a', profile: '1g.10gb', count: 14 },
      { demand: 'infer', supplyClass: 'b', profile: '1g.10gb', count: 7 },
    ])
    expect(answer.quality).toMatchObject({ proof: 'optimal', bound: 5, gap: 0 })
  })

  test('leaves a GPU whole for anyone who asks for that', () => {
    const answer = plan({ classes: [supply('a')], demands: [demand('train', 2, 'a '), demand('infer', 7, '1g.10gb')] })
    expect(answer.layouts).toEqual([
      { supplyClass: 'a', geometry: { [WHOLE_GPU]: 1 }, gpus: 2 },
      { supplyClass: 'a', geometry: { '1g.10gb': 7 }, gpus: 1 },
    ])
  })

  test('has a variant only where somebody asks for it, and as often as the board allows', () => {
    const answer = plan({ classes: [supply('a', { supply: 3 })], demands: [demand('media', 4, '1g.10gb+me')] })
    expect(answer.totals).toMatchObject({ placed: 3, gpus: 3 })
    expect(answer.quality).toMatchObject({ unplacedBound: expect.closeTo(1 / 7, 6), proof: 'optimal' })
    const plainOnly = plan({ classes: [supply('a')], demands: [demand('plain', 5, '1g.10gb')] })
    expect(Object.keys(plainOnly.layouts[0]?.geometry ?? {})).not.toContain('1g.10gb+me')
  })

  test('knows a profile by the name of an older driver', () => {
    const answer = plan({ classes: [supply('a')], demands: [demand('old', 1, '7g.79gb')] })
    expect(answer.assignments).toEqual([{ demand: 'old', supplyClass: 'a', profile: '7g.80gb', count: 1 }])
  })

  test('places the most when supply is short, and proves that no plan places more', () => {
    const answer = plan({
      classes: [supply('a', { supply: 2 })],
      demands: [demand('wide', 4, '1g.20gb'), demand('small', 20, '1g.10gb')],
    })
    expect(answer.unplaced).toEqual([
      { demand: 'small', count: 6, kind: 'supply-short' },
      { demand: 'wide', count: 4, kind: 'supply-short' },
    ])
    expect(answer.quality.unplacedBound).toBeCloseTo(answer.unplacedGpus, 5)
  })

  test('says what fits nowhere, and places the rest', () => {
    const answer = plan({
      classes: [supply('a'), supply('none', { supply: 0 }), supply('whole', { board: undefined })],
      demands: [
        demand('absent', 1, '1g.99gb'),
        demand('gone', 2, 'none 1g.10gb'),
        demand('nothing', 3),
        demand('uncut', 4, 'whole 1g.10gb'),
        demand('well', 5, '1g.10gb'),
      ],
    })
    expect(answer.unplaced).toEqual([
      { demand: 'absent', count: 1, kind: 'fits-nowhere' },
      { demand: 'gone', count: 2, kind: 'fits-nowhere' },
      { demand: 'nothing', count: 3, kind: 'fits-nowhere' },
      { demand: 'uncut', count: 4, kind: 'fits-nowhere' },
    ])
    expect(answer.totals).toMatchObject({ workloads: 15, placed: 5, gpus: 1 })
  })

  test('counts GPUs where a price is missing, and says so', () => {
    const answer = plan({
      classes: [supply('a', { price: undefined }), supply('b')],
      demands: [demand('infer', 3, 'a 1g.10gb')],
    })
    expect(answer.quality).toMatchObject({ goal: 'gpus', unpriced: ['a'], reached: 1, bound: 1, proof: 'optimal' })
    expect(answer.quality.notes.join()).toContain('a has no price')
  })

  test('has nothing to do without demand', () => {
    expect(plan({ classes: [], demands: [] }).totals).toMatchObject({ gpus: 0 })
    expect(plan({ classes: [supply('a')], demands: [demand('zero', 0, '1g.10gb')] }).quality.proof).toBe('optimal')
  })

  test('is one that the boards can hold, seats exactly the demand, and stays within supply (random problems)', () => {
    fc.assert(
      fc.property(layoutProblems({ supply: 40, count: 60, demands: 8 }), (problem) => {
        const answer = plan(problem)
        expect(unlawful(problem, answer)).toEqual([])
        const { bound, reached, unplacedBound } = answer.quality
        expect(bound ?? 0).toBeLessThanOrEqual(reached + 1e-6)
        expect(unplacedBound).toBeLessThanOrEqual(answer.unplacedGpus + 1e-6)
      }),
      { numRuns: 150, seed: 2 },
    )
  })

  test('does not depend on the order of classes and demands', () => {
    fc.assert(
      fc.property(layoutProblems({ supply: 20, count: 30, demands: 6 }), (problem) => {
        const turned = { classes: problem.classes.toReversed(), demands: problem.demands.toReversed() }
        expect(plan(turned)).toEqual(plan(problem))
      }),
      { numRuns: 40, seed: 3 },
    )
  })

  test('is never better than the best of all plans, and equal to it where it says so (random problems)', () => {
    let optimal = 0
    fc.assert(
      fc.property(layoutProblems({ supply: 2, count: 4, demands: 3 }), (problem) => {
        const { unplacedGpus, quality } = plan(problem)
        const best = bruteForce(problem)
        expect(quality.unplacedBound).toBeLessThanOrEqual(best.unplaced + 1e-6)
        expect(unplacedGpus).toBeGreaterThanOrEqual(best.unplaced - 1e-9)
        if (Math.abs(unplacedGpus - best.unplaced) > 1e-9) return
        expect(quality.bound ?? 0).toBeLessThanOrEqual(best.cost + 1e-6)
        expect(quality.reached).toBeGreaterThanOrEqual(best.cost - 1e-9)
        if (Math.abs(quality.reached - best.cost) < 1e-9) optimal += 1
        expect(quality.proof === 'optimal' && quality.reached > best.cost + 1e-6).toBe(false)
      }),
      { numRuns: 150, seed: 4 },
    )
    expect(optimal).toBeGreaterThanOrEqual(140)
  })
})
