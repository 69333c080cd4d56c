import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { LinearProgram, WholeAnswer } from './linear-program.ts'
import { linear, outside, programs, row } from './linear-program.fixture.ts'
import { solveWhole } from './whole-numbers.ts'

const HIGHEST = 4

/** The least cost of all whole values up to `HIGHEST`; undefined where none keeps the rows. */
function leastOfAll(program: LinearProgram): number | undefined {
  let least: number | undefined
  const visit = (values: readonly number[]): void => {
    if (values.length < program.cost.length) {
      for (let value = 0; value <= HIGHEST; value += 1) visit([...values, value])
      return
    }
    if (outside(program, values) > 1e-9) return
    const cost = program.cost.reduce((sum, each, index) => sum + each * (values[index] ?? 0), 0)
    least = Math.min(least ?? Infinity, cost)
  }
  visit([])
  return least
}

/** What an answer says that is not so. */
function untruths(program: LinearProgram, answer: WholeAnswer): string[] {
  const least = leastOfAll(program)
  if (answer.kind === 'infeasible') return least === undefined ? [] : ['calls infeasible what has an answer']
  if (answer.kind !== 'found') return []
  const { values, cost, bound, unproven } = answer
  if (least === undefined) return ['found what cannot be']
  const claims = {
    'keeps the rows': outside(program, values) < 1e-6,
    'is whole': values.every(Number.isInteger),
    'has a bound': bound <= least + 1e-6,
    'is not below the best': cost >= least - 1e-6,
    'is proven best, as it is small': unproven === undefined && cost <= least + 1e-6,
  }
  return Object.entries(claims).flatMap(([claim, holds]) => (holds ? [] : claim))
}

const small = programs
  .filter(({ cost }) => cost.length <= 4)
  .map((program) => ({ ...program, upper: program.upper.map((upper) => Math.min(upper, HIGHEST)) }))

describe('whole numbers by rounding and a search', () => {
  test('keep every row, never beat the best of all, and have a bound that no answer goes below (random programs)', () => {
    let proven = 0
    fc.assert(
      fc.property(small, (program) => {
        const answer = solveWhole(program)
        expect(untruths(program, answer)).toEqual([])
        proven += answer.kind === 'found' && answer.unproven === undefined ? 1 : 0
      }),
      { numRuns: 400, seed: 2 },
    )
    // Else nothing would have been tried.
    expect(proven).toBeGreaterThan(130)
  })

  test('are the best of a knapsack that rounding misses, and none where parity forbids it', () => {
    // Three of size 2 in 5, worth 1 each, or one of size 5 worth 2.
    const rows = [row('at-most', 5, [2, 2, 2, 5])]
    expect(solveWhole({ ...linear([-1, -1, -1, -2], rows), upper: [1, 1, 1, 1] })).toMatchObject({ cost: -2 })
    expect(solveWhole(linear([1], [row('equal', 1, [2])]))).toEqual({ kind: 'infeasible' })
    expect(solveWhole(linear([1], [row('at-least', 5, [2])]))).toMatchObject({ kind: 'found', values: [3], bound: 3 })
  })
})
