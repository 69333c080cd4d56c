import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { geometryOf, isFeasible } from '../../gpu/layout.ts'
import { bruteForce, type Truth } from './brute-force.fake.ts'
import { boardOf, demand, gpuOf, one, reconfigureProblems } from './reconfigure-problem.fixture.ts'
import type { ReconfigureGoal, ReconfigureProblem, Reconfiguration } from './reconfigure-problem.ts'
import { reconfigure } from './reconfigure.ts'

const GOALS: readonly ReconfigureGoal[] = ['fewest-displaced', 'fewest-gpus', 'fewest-displaced-at-fewest-gpus']
// The smallest board has few layouts, so brute force stays small; the large one has the awkward shapes.
const A30 = boardOf('A30')
const A100 = boardOf('A100-SXM4-40GB')

const solve = (problem: ReconfigureProblem, goal: ReconfigureGoal): Reconfiguration => reconfigure(problem, { goal })

function found(plan: Reconfiguration): Extract<Reconfiguration, { kind: 'found' }> {
  if (plan.kind !== 'found') throw new Error(JSON.stringify(plan))
  return plan
}

/** What a plan says that is not true. */
function untruths(plan: Reconfiguration, goal: ReconfigureGoal, truth: Truth | undefined): string[] {
  if (truth === undefined) return plan.kind === 'found' ? ['found what is impossible'] : []
  if (plan.kind === 'impossible') return ['called impossible what is possible']
  if (plan.kind === 'unknown') return []
  // Bounds of the second goal hold for the number of GPUs that the first one reached.
  if (goal === 'fewest-displaced-at-fewest-gpus' && plan.gpus > truth.gpus) return []
  const { optimum, figure, bound } = figuresOf(plan, goal, truth)
  const isTrue = plan.unproven === undefined ? figure === optimum : figure >= optimum && bound <= optimum
  return isTrue ? [] : [`${goal}: ${figure}, bound ${bound}, true ${optimum}, ${plan.unproven}`]
}

function figuresOf(plan: Extract<Reconfiguration, { kind: 'found' }>, goal: ReconfigureGoal, truth: Truth) {
  if (goal === 'fewest-gpus') return { optimum: truth.gpus, figure: plan.gpus, bound: plan.bounds.gpus ?? -Infinity }
  const optimum = goal === 'fewest-displaced' ? truth.displaced : truth.both
  return { optimum, figure: plan.displaced, bound: plan.bounds.displaced ?? -Infinity }
}

describe.each([
  { name: 'A30 by DRA', board: A30, actuator: 'dra', most: 4, numRuns: 60 },
  { name: 'A30 by mig-manager', board: A30, actuator: 'mig-manager', most: 4, numRuns: 60 },
  { name: 'A100 by DRA', board: A100, actuator: 'dra', most: 3, numRuns: 25 },
  { name: 'A100 by mig-manager', board: A100, actuator: 'mig-manager', most: 3, numRuns: 25 },
] as const)('$name', ({ board, actuator, most, numRuns }) => {
  test('equals brute force, or says that it is unproven and keeps to its bound', () => {
    let proven = 0
    fc.assert(
      fc.property(reconfigureProblems(board, actuator, most), (problem) => {
        const truth = bruteForce(problem)
        for (const goal of GOALS) {
          const plan = solve(problem, goal)
          expect(untruths(plan, goal, truth)).toEqual([])
          if (plan.kind === 'found' && plan.unproven === undefined) proven += 1
        }
      }),
      { numRuns, seed: 4 },
    )
    expect(proven).toBeGreaterThan(numRuns)
  })

  test('every target is feasible, no pod moves twice, and the same question has the same answer', () => {
    fc.assert(
      fc.property(reconfigureProblems(board, actuator, 8), fc.constantFrom(...GOALS), (problem, goal) => {
        const plan = solve(problem, goal)
        expect(solve(problem, goal)).toEqual(plan)
        if (plan.kind !== 'found') return
        for (const { layout } of plan.targets) expect(isFeasible(board, layout)).toEqual({ kind: 'feasible' })
        expect(new Set(plan.moves.map(({ pod }) => pod)).size).toBe(plan.displaced)
      }),
      { numRuns: 40, seed: 5 },
    )
  })
})

describe('reconfigure', () => {
  test('cuts an empty GPU before it displaces anyone', () => {
    const gpus = [one(A100, '1g.5gb', 0), []].map(gpuOf(A100, 'dra'))
    const plan = found(solve({ gpus, demands: [demand('job', '7g.40gb', 1)] }, 'fewest-displaced'))
    expect(plan).toMatchObject({ displaced: 0, moves: [], unproven: undefined, bounds: { displaced: 0 } })
    expect(plan.targets.map(({ gpu, layout }) => [gpu, geometryOf(layout)])).toEqual([['gpu-1', { '7g.40gb': 1 }]])
  })

  test('under DRA an instance is made beside neighbors; mig-manager has to displace them', () => {
    const demands = [demand('job', '3g.20gb', 1)]
    const layouts = [one(A100, '1g.5gb', 0)]
    const single = found(solve({ gpus: layouts.map(gpuOf(A100, 'dra')), demands }, 'fewest-displaced'))
    const whole = found(solve({ gpus: layouts.map(gpuOf(A100, 'mig-manager')), demands }, 'fewest-displaced'))
    expect([single.displaced, whole.displaced]).toEqual([0, 1])
  })

  test('leaves a pod that must stay where it is', () => {
    const [gpu] = [one(A100, '1g.5gb', 3)].map(gpuOf(A100, 'dra'))
    if (gpu === undefined) throw new Error('no GPU')
    const pinned = { ...gpu, instances: gpu.instances.map((instance) => ({ ...instance, movable: false })) }
    const demands = [demand('job', '4g.20gb', 1)]
    expect(found(solve({ gpus: [gpu], demands }, 'fewest-displaced')).displaced).toBe(1)
    expect(solve({ gpus: [pinned], demands }, 'fewest-displaced').kind).toBe('impossible')
  })

  test('a demand may be served by one of several profiles, on one of several classes', () => {
    const gpus = [
      { ...gpuOf(A100, 'dra')(one(A100, '7g.40gb', 0), 0) },
      { ...gpuOf(A30, 'dra')([], 1), supplyClass: 'small' },
    ]
    const demands = [
      {
        id: 'job',
        count: 2,
        fits: [
          { supplyClass: 'class', profile: '1g.5gb' },
          { supplyClass: 'small', profile: '2g.12gb' },
        ],
      },
    ]
    const plan = found(solve({ gpus, demands }, 'fewest-displaced'))
    expect(plan.rooms.map(({ gpu, instance }) => [gpu, instance.profile])).toEqual([
      ['gpu-1', '2g.12gb'],
      ['gpu-1', '2g.12gb'],
    ])
  })

  test('refuses a fleet that cannot be as it is said to be', () => {
    const gpu = gpuOf(A100, 'dra')([...one(A100, '7g.40gb', 0), ...one(A100, '1g.5gb', 0)], 0)
    expect(solve({ gpus: [gpu], demands: [] }, 'fewest-gpus')).toMatchObject({
      kind: 'unknown',
      because: expect.stringContaining('gpu-0 is said to hold an impossible layout'),
    })
    expect(solve({ gpus: [], demands: [demand('job', '1g.5gb', -1)] }, 'fewest-gpus')).toMatchObject({
      kind: 'unknown',
    })
    expect(solve({ gpus: [], demands: [demand('job', '1g.5gb', 1)] }, 'fewest-gpus').kind).toBe('impossible')
  })
})
