import { expect, test } from 'vitest'

import { ratio, seconds } from '../../units.ts'
import type { LinearAnswer, LinearSolver } from '../linear-program.ts'
import { solversInTurn } from './solvers-in-turn.ts'

const LIMITS = { seconds: seconds(1), gap: ratio(0) }
const PROGRAM = { cost: [1], upper: [1], whole: true, rows: [] }

const says = (answer: LinearAnswer, asked: string[] = [], name = ''): LinearSolver => ({
  solve: () => {
    asked.push(name)
    return Promise.resolve(answer)
  },
  close: () => Promise.resolve(),
})

const feasible = (cost: number, bound: number) =>
  ({ kind: 'feasible', cost, values: [cost], bound, because: 'stopped' }) as const

const solve = (...answers: readonly LinearAnswer[]) =>
  solversInTurn(...answers.map((each) => says(each))).solve(PROGRAM, LIMITS)

test('the second is asked only where the first has no proof', async () => {
  const asked: string[] = []
  const proof = { kind: 'optimal', cost: 3, values: [3], bound: 3, prices: undefined } as const
  const both = solversInTurn(says(proof, asked, 'first'), says({ kind: 'infeasible' }, asked, 'second'))
  expect(await both.solve(PROGRAM, LIMITS)).toEqual(proof)
  expect(asked).toEqual(['first'])
  expect(await solversInTurn(says(feasible(4, 2)), says(proof)).solve(PROGRAM, LIMITS)).toEqual(proof)
})

test('without a proof the cheapest answer stands with the highest bound', async () => {
  expect(await solve(feasible(5, 2), feasible(4, 1))).toEqual(feasible(4, 2))
  expect(await solve(feasible(5, 2), { kind: 'unknown', bound: 3, because: 'out of time' })).toEqual(feasible(5, 3))
  expect(
    await solve({ kind: 'unknown', bound: 1, because: 'a' }, { kind: 'unknown', bound: 2, because: 'b' }),
  ).toMatchObject({ kind: 'unknown' })
  expect(await solve()).toMatchObject({ kind: 'unknown', because: 'there is no solver' })
})
