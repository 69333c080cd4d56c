import { at } from './scaled-program.ts'
import type { ScaledProgram } from './scaled-program.ts'

/** Which columns are basic, the dense inverse of their matrix, and their values. Everything is changed in place. */
export type Basis = {
  /** The basic column of each row. */
  readonly head: Int32Array
  /** Where each column is: `AT_LOWER`, `AT_UPPER` or `BASIC`. */
  readonly place: Int8Array
  /** Row by row. */
  readonly inverse: Float64Array
  readonly values: Float64Array
}

export const AT_LOWER = 0
export const AT_UPPER = 1
export const BASIC = 2

/** The basis of all slacks; every variable is 0. */
export function slackBasis(program: ScaledProgram): Basis {
  const { rows, structural, columns } = program
  const basis: Basis = {
    head: Int32Array.from({ length: rows }, (_, i) => structural + i),
    place: new Int8Array(columns),
    inverse: new Float64Array(rows * rows),
    values: program.bound.slice(),
  }
  for (let i = 0; i < rows; i += 1) {
    basis.inverse[i * rows + i] = 1
    basis.place[structural + i] = BASIC
  }
  return basis
}

/** The value of a column that is not basic. */
export const restingValue = (program: ScaledProgram, basis: Basis, column: number): number =>
  basis.place[column] === AT_UPPER ? at(program.upper, column) : finite(at(program.lower, column))

const finite = (value: number): number => (Number.isFinite(value) ? value : 0)

/** inverse × column: how the basic values fall while the column rises. */
export function solveColumn(program: ScaledProgram, basis: Basis, column: number): Float64Array {
  const { rows, from, row, value } = program
  const { inverse } = basis
  const result = new Float64Array(rows)
  for (let position = at(from, column); position < at(from, column + 1); position += 1) {
    const entry = at(value, position)
    for (let i = 0, cell = at(row, position); i < rows; i += 1, cell += rows) {
      result[i] = at(result, i) + entry * at(inverse, cell)
    }
  }
  return result
}

/** costs × inverse: the rows' prices under these costs of the basic columns. */
export function solvePrices(program: ScaledProgram, basis: Basis, costs: Float64Array): Float64Array {
  const { rows } = program
  const prices = new Float64Array(rows)
  for (let i = 0; i < rows; i += 1) {
    const cost = at(costs, i)
    if (cost === 0) continue
    const start = i * rows
    for (let k = 0; k < rows; k += 1) prices[k] = at(prices, k) + cost * at(basis.inverse, start + k)
  }
  return prices
}

/** Puts a column into the basis in place of row `leaving`'s; `alpha` is `solveColumn` of it. */
export function replaceInInverse(basis: Basis, leaving: number, alpha: Float64Array): void {
  const rows = alpha.length
  const { inverse } = basis
  const start = leaving * rows
  const pivot = at(alpha, leaving)
  const filled: number[] = []
  for (let k = 0; k < rows; k += 1) {
    const entry = at(inverse, start + k)
    if (entry === 0) continue
    inverse[start + k] = entry / pivot
    filled.push(k)
  }
  for (let i = 0; i < rows; i += 1) {
    const factor = at(alpha, i)
    if (i === leaving || factor === 0) continue
    for (const k of filled) inverse[i * rows + k] = at(inverse, i * rows + k) - factor * at(inverse, start + k)
  }
}

/**
 * Computes inverse and values anew, so that rounding does not add up over many replacements. False when the basis is
 * singular, which is left as it is.
 */
export function refresh(program: ScaledProgram, basis: Basis): boolean {
  const fresh = invert(program, basis.head)
  if (fresh === undefined) return false
  basis.inverse.set(fresh)
  const { rows, columns, from, row, value } = program
  const rest = program.bound.slice()
  for (let j = 0; j < columns; j += 1) {
    if (basis.place[j] === BASIC) continue
    const resting = restingValue(program, basis, j)
    if (resting === 0) continue
    for (let position = at(from, j); position < at(from, j + 1); position += 1) {
      const i = at(row, position)
      rest[i] = at(rest, i) - at(value, position) * resting
    }
  }
  for (let i = 0; i < rows; i += 1) {
    let sum = 0
    for (let k = 0; k < rows; k += 1) sum += at(basis.inverse, i * rows + k) * at(rest, k)
    basis.values[i] = sum
  }
  return true
}

const SINGULAR = 1e-11

/** Gauss-Jordan with row pivoting; the columns that are slacks cost next to nothing. */
function invert(program: ScaledProgram, head: Int32Array): Float64Array | undefined {
  const { rows, structural } = program
  // Start from the slacks' identity and bring in the other columns one by one, each in the row with the largest pivot.
  const work: Basis = slackBasis(program)
  const open = new Uint8Array(rows).fill(1)
  const order = [...head.keys()].filter((i) => at(head, i) < structural)
  for (const i of head.keys()) if (at(head, i) >= structural) open[at(head, i) - structural] = 0
  const rowOf = new Int32Array(rows)
  for (const i of head.keys()) if (at(head, i) >= structural) rowOf[i] = at(head, i) - structural
  for (const i of order) {
    const alpha = solveColumn(program, work, at(head, i))
    let best = -1
    for (let k = 0; k < rows; k += 1) {
      if (open[k] === 1 && (best < 0 || Math.abs(at(alpha, k)) > Math.abs(at(alpha, best)))) best = k
    }
    if (best < 0 || Math.abs(at(alpha, best)) < SINGULAR) return undefined
    replaceInInverse(work, best, alpha)
    open[best] = 0
    rowOf[i] = best
  }
  const inverse = new Float64Array(rows * rows)
  for (let i = 0; i < rows; i += 1) {
    const source = at(rowOf, i) * rows
    inverse.set(work.inverse.subarray(source, source + rows), i * rows)
  }
  return inverse
}
