import * as fc from 'fast-check'

import type { LinearProgram, LinearRow } from './linear-program.ts'

/** A program that may have fractions, without limits on its variables. */
export const linear = (cost: readonly number[], rows: readonly LinearRow[]): LinearProgram => ({
  cost,
  upper: cost.map(() => Infinity),
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
export const programs: fc.Arbitrary<LinearProgram> = fc
  .record({ variables: fc.integer({ min: 1, max: 6 }), rows: fc.integer({ min: 1, max: 6 }) })
  .chain((size) =>
    fc.record({
      cost: fc.array(entry, { minLength: size.variables, maxLength: size.variables }),
      upper: fc.array(fc.constantFrom(Infinity, Infinity, 0, 2, 7), {
        minLength: size.variables,
        maxLength: size.variables,
      }),
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

/** By how much the values leave the limits and rows, at most. */
export function outside({ upper, rows }: LinearProgram, values: readonly number[]): number {
  const limits = values.map((value, index) => Math.max(-value, value - (upper[index] ?? 0)))
  const misses = rows.map(({ kind, bound, terms }) => {
    const miss = terms.reduce((sum, [variable, value]) => sum + value * (values[variable] ?? 0), 0) - bound
    return kind === 'equal' ? Math.abs(miss) : kind === 'at-most' ? miss : -miss
  })
  return Math.max(0, ...limits, ...misses)
}
