import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { ratio, seconds } from '../../units.ts'
import type { LinearAnswer, LinearProgram, LinearRow, LinearSolver, SolveLimits } from './linear-program.ts'

const LIMITS: SolveLimits = { seconds: seconds(20), gap: ratio(0) }
const RUNS = { numRuns: 60, seed: 1 }

/** What every `LinearSolver` does with programs whose variables need not be whole. */
export function linearSolverBehaves(open: () => LinearSolver): void {
  let solver: LinearSolver
  beforeAll(() => {
    solver = open()
  })
  afterAll(() => solver.close())
  const solve = (program: LinearProgram): Promise<LinearAnswer> => solver.solve(program, LIMITS)

  test('finds the cheapest values and the prices of the rows', async () => {
    const answer = await solve(
      linear([2, 3], [row('at-least', 10, [1, 1]), row('at-most', 6, [1, 0]), row('at-least', 4, [0, 2])]),
    )
    const { cost, values, prices } = optimal(answer)
    expect(cost).toBeCloseTo(24, 6)
    expect(values[0]).toBeCloseTo(6, 6)
    expect(values[1]).toBeCloseTo(4, 6)
    expect(prices?.map((price) => Math.round(price * 1e6) / 1e6 + 0)).toEqual([3, -1, 0])
  })

  test('keeps variables below their highest value', async () => {
    const program = { ...linear([-1, -1], [row('at-most', 10, [1, 2])]), upper: [4, Infinity] }
    expect(optimal(await solve(program)).values).toEqual([4, 3])
  })

  test('says that a program has no answer', async () => {
    const program = linear([1, 1], [row('at-least', 5, [1, 1]), row('at-most', 4, [1, 1])])
    expect((await solve(program)).kind).toBe('infeasible')
  })

  test('says that the cost has no end', async () => {
    expect((await solve(linear([-1, 0], [row('at-most', 1, [1, -1])]))).kind).toBe('unbounded')
  })

  test('answers a program without rows, and one without variables', async () => {
    expect(optimal(await solve(linear([3], []))).cost).toBe(0)
    expect(optimal(await solve(linear([], []))).values).toEqual([])
  })

  test('does not cycle where many bases share one corner', async () => {
    // Beale's example (1955): Dantzig's rule alone goes round for ever.
    const answer = await solve(
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

  test('refuses figures that are none, in words', async () => {
    expect((await solve(linear([Number.NaN], []))).kind).toBe('unknown')
  })

  test('answers within the rows, and no prices prove a lower cost (random programs)', async () => {
    await fc.assert(
      fc.asyncProperty(programs, async (program) => {
        const answer = await solve(program)
        if (answer.kind === 'infeasible' || answer.kind === 'unbounded') return
        const { values, prices, cost } = optimal(answer)
        expect(outside(program, values)).toBeLessThan(1e-6)
        expect(cost).toBeCloseTo(dualCost(program, prices ?? []), 5)
      }),
      RUNS,
    )
  })
}

/** A program that may have fractions, without limits on its variables. */
export const linear = (cost: readonly number[], rows: readonly LinearRow[]): LinearProgram => ({
  cost,
  upper: cost.map(() => Infinity),
  whole: false,
  rows,
})

/** A row with one coefficient for each variable. */
export const row = (kind: LinearRow['kind'], bound: number, coefficients: readonly number[]): LinearRow => ({
  kind,
  bound,
  terms: coefficients.flatMap((value, variable) => (value === 0 ? [] : [[variable, value] as const])),
})

const entry = fc.integer({ min: -3, max: 5 })

/** Small programs with whole figures, many of them degenerate. */
const programs: fc.Arbitrary<LinearProgram> = fc
  .record({ variables: fc.integer({ min: 1, max: 6 }), rows: fc.integer({ min: 1, max: 6 }) })
  .chain((size) =>
    fc.record({
      cost: fc.array(entry, { minLength: size.variables, maxLength: size.variables }),
      upper: fc.array(fc.constantFrom(Infinity, Infinity, 0, 2, 7), {
        minLength: size.variables,
        maxLength: size.variables,
      }),
      whole: fc.constant(false),
      rows: fc.array(
        fc
          .record({
            kind: fc.constantFrom<LinearRow['kind']>('at-most', 'at-most', 'at-least', 'equal'),
            bound: fc.integer({ min: -2, max: 12 }),
            coefficients: fc.array(entry, { minLength: size.variables, maxLength: size.variables }),
          })
          .map(({ kind, bound, coefficients }) => row(kind, bound, coefficients)),
        { minLength: size.rows, maxLength: size.rows },
      ),
    }),
  )

function optimal(answer: LinearAnswer): Extract<LinearAnswer, { kind: 'optimal' }> {
  if (answer.kind !== 'optimal') throw new Error(`expected an optimal answer, got ${JSON.stringify(answer)}`)
  return answer
}

/** By how much the values leave the limits and rows, at most. */
function outside({ upper, rows }: LinearProgram, values: readonly number[]): number {
  const limits = values.map((value, index) => Math.max(-value, value - (upper[index] ?? 0)))
  const misses = rows.map(({ kind, bound, terms }) => {
    const miss = terms.reduce((sum, [variable, value]) => sum + value * (values[variable] ?? 0), 0) - bound
    return kind === 'equal' ? Math.abs(miss) : kind === 'at-most' ? miss : -miss
  })
  return Math.max(0, ...limits, ...misses)
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
