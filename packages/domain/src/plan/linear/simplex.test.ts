import { describe, expect, test } from 'vitest'

import type { LinearProgram } from './linear-program.ts'
import { seededChance } from '../simulate/seeded-chance.ts'
import { linear, linearSolverBehaves, row } from './linear-solver.contract.ts'
import { simplexSolver, solveBySimplex } from './simplex.ts'

describe('the simplex method', () => {
  linearSolverBehaves(() => simplexSolver)

  test('stops after so many steps and says so', () => {
    const program = linear([1, 1], [row('at-least', 5, [1, 2]), row('at-least', 5, [2, 1])])
    expect(solveBySimplex(program, 1)).toEqual({
      kind: 'unknown',
      bound: undefined,
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

  test('gives whole numbers only where they come out by themselves', () => {
    const even = { ...linear([1], [row('at-least', 4, [2])]), whole: true }
    const odd = { ...linear([1], [row('at-least', 5, [2])]), whole: true }
    expect(solveBySimplex(even)).toMatchObject({ kind: 'optimal', values: [2] })
    expect(solveBySimplex(odd)).toMatchObject({ kind: 'unknown', bound: 2.5 })
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
