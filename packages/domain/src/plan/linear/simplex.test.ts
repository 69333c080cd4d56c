import { describe, expect, test } from 'vitest'

import { linear, linearSolverBehaves, row } from '../linear-solver.suite.ts'
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

  test('gives whole numbers only where they come out by themselves', () => {
    const even = { ...linear([1], [row('at-least', 4, [2])]), whole: true }
    const odd = { ...linear([1], [row('at-least', 5, [2])]), whole: true }
    expect(solveBySimplex(even)).toMatchObject({ kind: 'optimal', values: [2] })
    expect(solveBySimplex(odd)).toMatchObject({ kind: 'unknown', bound: 2.5 })
  })
})
