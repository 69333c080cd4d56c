import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { LinearAnswer, LinearProgram } from './linear-program.ts'
import { seededChance } from '../simulate/seeded-chance.ts'
import { linear, outside, programs, row } from './linear-program.fixture.ts'
import { solveBySimplex } from './simplex.ts'

describe('the simplex method', () => {
  test('finds the cheapest values and the prices of the rows', () => {
    const answer = solveBySimplex(
      linear([2, 3], [row('at-least', 10, [1, 1]), row('at-most', 6, [1, 0]), row('at-least', 4, [0, 2])]),
    )
    const { cost, values, prices } = optimal(answer)
    expect(cost).toBeCloseTo(24, 6)
    expect(values[0]).toBeCloseTo(6, 6)
    expect(values[1]).toBeCloseTo(4, 6)
    expect(prices.map((price) => Math.round(price * 1e6) / 1e6 + 0)).toEqual([3, -1, 0])
  })

  test('keeps variables below their highest value', () => {
    const program = { ...linear([-1, -1], [row('at-most', 10, [1, 2])]), upper: [4, Infinity] }
    expect(optimal(solveBySimplex(program)).values).toEqual([4, 3])
  })

  test('says that a program has no answer', () => {
    const program = linear([1, 1], [row('at-least', 5, [1, 1]), row('at-most', 4, [1, 1])])
    expect(solveBySimplex(program).kind).toBe('infeasible')
  })

  test('says that the cost has no end', () => {
    expect(solveBySimplex(linear([-1, 0], [row('at-most', 1, [1, -1])])).kind).toBe('unbounded')
  })

  test('answers a program without rows, and one without variables', () => {
    expect(optimal(solveBySimplex(linear([3], []))).cost).toBe(0)
    expect(optimal(solveBySimplex(linear([], []))).values).toEqual([])
  })

  test('does not cycle where many bases share one corner', () => {
    // Beale's example (1955): Dantzig's rule alone goes round for ever.
    const answer = solveBySimplex(
      linear(
        [-0.75, 150, -0.02, 6],
        [
          row('at-most', 0, [0.25, -60, -0.04, 9]),
          row('at-most', 0, [0.5, -90, -0.02, 3]),
          row('at-most', 1, [0, 0, 1, 0]),
        ],
      ),
    )
    expect(optimal(answer).cost).toBeCloseTo(-0.05, 6)
  })

  test('refuses figures that are none, in words', () => {
    expect(solveBySimplex(linear([Number.NaN], [])).kind).toBe('unknown')
  })

  test('answers within the rows, and no prices prove a lower cost (random programs)', () => {
    fc.assert(
      fc.property(programs, (program) => {
        const answer = solveBySimplex(program)
        if (answer.kind === 'infeasible' || answer.kind === 'unbounded') return
        const { values, prices, cost } = optimal(answer)
        expect(outside(program, values)).toBeLessThan(1e-6)
        expect(cost).toBeCloseTo(dualCost(program, prices), 5)
      }),
      { numRuns: 60, seed: 1 },
    )
  })

  test('stops after so many steps and says so', () => {
    const program = linear([1, 1], [row('at-least', 5, [1, 2]), row('at-least', 5, [2, 1])])
    expect(solveBySimplex(program, 1)).toEqual({
      kind: 'unknown',
      because: 'not finished after 1 steps',
    })
  })

  test('never calls a program infeasible that has an answer, however large its figures are', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const answer = solveBySimplex(withAnswer(seed, 1e6))
      expect([seed, answer.kind]).toEqual([seed, 'optimal'])
    }
  })

  test('calls a program infeasible that misses by one in a million', () => {
    const rows = [row('at-least', 1_000_001, [1, 1]), row('at-most', 1_000_000, [1, 1])]
    expect(solveBySimplex(linear([1, 2], rows)).kind).toBe('infeasible')
  })
})

/** A program with up to 27 rows that hold, most of them with nothing to spare, for values up to `size`. */
function withAnswer(seed: number, size: number): LinearProgram {
  const random = seededChance(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  const values = Array.from({ length: 5 + below(40) }, () => (random() < 0.4 ? below(size) : 0))
  const rows = Array.from({ length: 3 + below(25) }, () => {
    const coefficients = values.map(() =>
      random() < 0.3 ? (random() < 0.2 ? below(8) / 7 : below(8) - below(2) * 3) : 0,
    )
    const bound = coefficients.reduce((sum, each, index) => sum + each * (values[index] ?? 0), 0)
    return row(random() < 0.5 ? 'equal' : random() < 0.5 ? 'at-least' : 'at-most', bound, coefficients)
  })
  return linear(
    values.map(() => below(500) / 100),
    rows,
  )
}

function optimal(answer: LinearAnswer): Extract<LinearAnswer, { kind: 'optimal' }> {
  if (answer.kind !== 'optimal') throw new Error(`expected an optimal answer, got ${JSON.stringify(answer)}`)
  return answer
}

/** What the prices prove: Σ price × bound, and what variables with a limit can still save. Wrong signs prove nothing. */
function dualCost({ cost, upper, rows }: LinearProgram, prices: readonly number[]): number {
  const reduced = [...cost]
  let total = 0
  for (const [index, { kind, bound, terms }] of rows.entries()) {
    const price = prices[index] ?? 0
    if ((kind === 'at-least' && price < -1e-7) || (kind === 'at-most' && price > 1e-7)) return -Infinity
    total += price * bound
    for (const [variable, value] of terms) reduced[variable] = (reduced[variable] ?? 0) - price * value
  }
  return reduced.reduce((sum, each, index) => {
    const saving = Math.abs(each) < 1e-7 ? 0 : Math.min(0, each)
    return saving === 0 ? sum : sum + saving * (upper[index] ?? 0)
  }, total)
}
