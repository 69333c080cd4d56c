import type { LinearProgram, LinearRow } from '@septet/domain'

import type { HighsQuestion } from './highs-message.ts'

export type EncodedProgram = Omit<HighsQuestion, 'id' | 'seconds' | 'gap'>

// Beyond this the solver's tolerances (1e-7 absolute) say nothing about a row any more.
const LARGEST = 1e12

/** The program in compressed rows, or why it cannot be a program. */
export function encodeProgram(
  program: LinearProgram,
):
  | { readonly kind: 'sound'; readonly encoded: EncodedProgram }
  | { readonly kind: 'unsound'; readonly because: string } {
  const because = unsoundVariables(program) ?? firstUnsoundRow(program)
  return because === undefined ? { kind: 'sound', encoded: encode(program) } : { kind: 'unsound', because }
}

function encode(program: LinearProgram): EncodedProgram {
  const rows = program.rows.map(mergedTerms)
  const starts = new Int32Array(rows.length + 1)
  for (const [index, row] of rows.entries()) starts[index + 1] = (starts[index] ?? 0) + row.length
  return {
    cost: Float64Array.from(program.cost),
    upper: Float64Array.from(program.upper),
    whole: program.whole,
    rowLower: Float64Array.from(program.rows, ({ kind, bound }) => (kind === 'at-most' ? -Infinity : bound)),
    rowUpper: Float64Array.from(program.rows, ({ kind, bound }) => (kind === 'at-least' ? Infinity : bound)),
    starts,
    indices: Int32Array.from(rows.flatMap((row) => row.map(([variable]) => variable))),
    values: Float64Array.from(rows.flatMap((row) => row.map(([, coefficient]) => coefficient))),
  }
}

/** A variable may be named twice in a row; its coefficients add up. Compressed rows may not name it twice. */
function mergedTerms({ terms }: LinearRow): ReadonlyArray<readonly [number, number]> {
  const merged = new Map<number, number>()
  for (const [variable, coefficient] of terms) merged.set(variable, (merged.get(variable) ?? 0) + coefficient)
  return [...merged].filter(([, coefficient]) => coefficient !== 0)
}

function unsoundVariables({ cost, upper }: LinearProgram): string | undefined {
  if (cost.length !== upper.length) return `there are ${cost.length} costs and ${upper.length} upper limits`
  const badCost = cost.findIndex((value) => !isPlain(value))
  if (badCost >= 0) return `variable ${badCost} costs ${cost[badCost]}`
  const badUpper = upper.findIndex((value) => value !== Infinity && !isPlain(value))
  return badUpper >= 0 ? `variable ${badUpper} has the upper limit ${upper[badUpper]}` : undefined
}

function firstUnsoundRow({ rows, cost }: LinearProgram): string | undefined {
  for (const [index, row] of rows.entries()) {
    const because = unsoundRow(row, cost.length)
    if (because !== undefined) return `row ${index} ${because}`
  }
  return undefined
}

function unsoundRow({ kind, bound, terms }: LinearRow, variables: number): string | undefined {
  if (!isUnlimited(kind, bound) && !isPlain(bound)) return `has the bound ${bound}`
  for (const [variable, coefficient] of terms) {
    if (!Number.isInteger(variable) || variable < 0 || variable >= variables) {
      return `names variable ${variable}, and there are ${variables}`
    }
    if (!isPlain(coefficient)) return `has the coefficient ${coefficient}`
  }
  return undefined
}

const isUnlimited = (kind: LinearRow['kind'], bound: number): boolean =>
  (kind === 'at-most' && bound === Infinity) || (kind === 'at-least' && bound === -Infinity)

const isPlain = (value: number): boolean => Number.isFinite(value) && Math.abs(value) <= LARGEST
