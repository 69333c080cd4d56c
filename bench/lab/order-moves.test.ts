import { ratio, reconfigure, seconds, type ReconfigureGoal } from '@septet/domain'
import { boardOf, divingSolver, gpuOf, one, reconfigureProblems } from '@septet/domain/testing'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { orderMoves } from './order-moves.ts'
import { replayMoves } from './replay-moves.contract.ts'

const A30 = boardOf('A30')
const A100 = boardOf('A100-SXM4-40GB')
const GOALS: readonly ReconfigureGoal[] = ['fewest-displaced', 'fewest-gpus', 'fewest-displaced-at-fewest-gpus']
const LIMITS = { seconds: seconds(20), gap: ratio(0) }

describe.each([
  { name: 'A30 by DRA', board: A30, actuator: 'dra' },
  { name: 'A30 by mig-manager', board: A30, actuator: 'mig-manager' },
  { name: 'A100 by DRA', board: A100, actuator: 'dra' },
  { name: 'A100 by mig-manager', board: A100, actuator: 'mig-manager' },
] as const)('$name', ({ board, actuator }) => {
  test('every step is legal when those before it are done, and the plan is reached', async () => {
    const drawn = fc.asyncProperty(
      reconfigureProblems(board, actuator, 8),
      fc.constantFrom(...GOALS),
      async (problem, goal) => {
        const plan = await reconfigure(problem, { goal, solver: divingSolver, limits: LIMITS })
        if (plan.kind !== 'found') return
        const order = orderMoves({ gpus: problem.gpus, targets: plan.targets, moves: plan.moves })
        replayMoves(problem.gpus, plan, order.moves)
        expect(order.planned).toHaveLength(plan.moves.length)
      },
    )
    await fc.assert(drawn, { numRuns: 40, seed: 5 })
  })
})

test('stops a pod where the moves form a circle, and says so', () => {
  // Two full GPUs of which each needs the other's room: 3g at 0 on one, 3g at 4 on the other.
  const gpus = [one(A100, '7g.40gb', 0), [...one(A100, '4g.20gb', 0), ...one(A100, '3g.20gb', 4)]].map(
    gpuOf(A100, 'dra'),
  )
  const targets = [
    { gpu: 'gpu-0', migEnabled: true, layout: [...one(A100, '4g.20gb', 0), ...one(A100, '3g.20gb', 4)] },
    { gpu: 'gpu-1', migEnabled: true, layout: one(A100, '7g.40gb', 0) },
  ]
  const moves = gpus.flatMap(({ gpu, instances }) =>
    instances.map((instance) => ({
      pod: instance.pod ?? '',
      from: instance.partition,
      to: { gpu: gpu === 'gpu-0' ? 'gpu-1' : 'gpu-0', profile: instance.profile },
      instance,
    })),
  )
  const order = orderMoves({ gpus, targets, moves })
  expect(order.waiting).toEqual(['team/pod-0-0'])
  expect(order.moves.map(({ kind }) => kind).filter((kind) => !kind.endsWith('instance'))).toEqual([
    'stop',
    'move',
    'move',
    'start',
  ])
})
