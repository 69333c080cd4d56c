import { real, whole, type ScaledProgram } from './scaled-program.ts'

/** Which columns are basic, the dense inverse of their matrix, and their values. Everything is changed in place. */
export type Basis = {
  /** The basic column of each row. */
  readonly head: Int32Array
  /** Where each column is: `AT_LOWER`, `AT_UPPER` or `BASIC`. */
  readonly place: Int8Array
  /** Row by row. */
  readonly inverse: Float64Array
  readonly values: Float64Array
  /** How far a value may be outside a bound, as a part of 1 + the bound. */
  tolerance: number
}

/** How far figures may be off on the scaled program. */
export const TOLERANCE = 1e-9

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
    tolerance: TOLERANCE,
  }
  for (let i = 0; i < rows; i += 1) {
    basis.inverse[i * rows + i] = 1
    basis.place[structural + i] = BASIC
  }
  return basis
}

/** By how much a value is above (1) or below (-1) its limits, as a part of 1 + the limit; 0 within the tolerance. */
export function excessOf(program: ScaledProgram, basis: Basis, row: number): number {
  const column = whole(basis.head, row)
  const value = real(basis.values, row)
  const lower = real(program.lower, column)
  const upper = real(program.upper, column)
  const below = lower === -Infinity ? 0 : (value - lower) / (1 + Math.abs(lower))
  if (below < -basis.tolerance) return below
  const above = upper === Infinity ? 0 : (value - upper) / (1 + Math.abs(upper))
  return above > basis.tolerance ? above : 0
}

/** The value of a column that is not basic. */
export const restingValue = (program: ScaledProgram, basis: Basis, column: number): number =>
  basis.place[column] === AT_UPPER ? real(program.upper, column) : finite(real(program.lower, column))

const finite = (value: number): number => (Number.isFinite(value) ? value : 0)

/** inverse × column: how the basic values fall while the column rises. */
export function solveColumn(program: ScaledProgram, basis: Basis, column: number): Float64Array {
  const { rows, from, row, value } = program
  const { inverse } = basis
  const result = new Float64Array(rows)
  for (let position = whole(from, column); position < whole(from, column + 1); position += 1) {
    const entry = real(value, position)
    for (let i = 0, cell = whole(row, position); i < rows; i += 1, cell += rows) {
      result[i] = real(result, i) + entry * real(inverse, cell)
    }
  }
  return result
}

/** costs × inverse: the rows' prices under these costs of the basic columns. */
export function solvePrices(program: ScaledProgram, basis: Basis, costs: Float64Array): Float64Array {
  const { rows } = program
  const prices = new Float64Array(rows)
  for (let i = 0; i < rows; i += 1) {
    const cost = real(costs, i)
    if (cost === 0) continue
    const start = i * rows
    for (let k = 0; k < rows; k += 1) prices[k] = real(prices, k) + cost * real(basis.inverse, start + k)
  }
  return prices
}

/** Puts a column into the basis in place of row `leaving`'s; `alpha` is `solveColumn` of it. */
export function replaceInInverse(basis: Basis, leaving: number, alpha: Float64Array): void {
  const rows = alpha.length
  const { inverse } = basis
  const start = leaving * rows
  const pivot = real(alpha, leaving)
  const filled = new Int32Array(rows)
  let count = 0
  for (let k = 0; k < rows; k += 1) {
    const entry = real(inverse, start + k)
    if (entry === 0) continue
    inverse[start + k] = entry / pivot
    filled[count] = k
    count += 1
  }
  for (let i = 0; i < rows; i += 1) {
    const factor = real(alpha, i)
    if (i === leaving || factor === 0) continue
    for (let position = 0; position < count; position += 1) {
      const k = whole(filled, position)
      inverse[i * rows + k] = real(inverse, i * rows + k) - factor * real(inverse, start + k)
    }
  }
}

/**
 * Computes inverse and values again, so that rounding does not add up over many replacements. False when the basis is
 * singular, which is left as it is.
 */
export function refresh(program: ScaledProgram, basis: Basis): boolean {
  const fresh = invert(program, basis.head)
  if (fresh === undefined) return false
  basis.inverse.set(fresh)
  const { rows } = program
  const rest = restOf(program, basis)
  for (let i = 0; i < rows; i += 1) {
    let sum = 0
    for (let k = 0; k < rows; k += 1) sum += real(basis.inverse, i * rows + k) * real(rest, k)
    basis.values[i] = sum
  }
  return true
}

/** What the columns that are not basic leave of the rows' bounds. */
function restOf(program: ScaledProgram, basis: Basis): Float64Array {
  const { columns, from, row, value } = program
  const rest = program.bound.slice()
  for (let j = 0; j < columns; j += 1) {
    if (basis.place[j] === BASIC) continue
    const resting = restingValue(program, basis, j)
    if (resting === 0) continue
    for (let position = whole(from, j); position < whole(from, j + 1); position += 1) {
      const i = whole(row, position)
      rest[i] = real(rest, i) - real(value, position) * resting
    }
  }
  return rest
}

const SINGULAR = 1e-11

/** Starts from the slacks and brings in the other columns one by one, each in the open row with the largest pivot. */
function invert(program: ScaledProgram, head: Int32Array): Float64Array | undefined {
  const { rows, structural } = program
  const work = slackBasis(program)
  const open = new Uint8Array(rows).fill(1)
  const rowOf = head.map((column) => column - structural)
  for (const slack of rowOf) if (slack >= 0) open[slack] = 0
  for (const [i, slack] of rowOf.entries()) {
    if (slack >= 0) continue
    const alpha = solveColumn(program, work, whole(head, i))
    const pivot = largestOpen(alpha, open)
    if (pivot < 0 || Math.abs(real(alpha, pivot)) < SINGULAR) return undefined
    replaceInInverse(work, pivot, alpha)
    open[pivot] = 0
    rowOf[i] = pivot
  }
  const inverse = new Float64Array(rows * rows)
  for (const [i, source] of rowOf.entries()) {
    inverse.set(work.inverse.subarray(source * rows, (source + 1) * rows), i * rows)
  }
  return inverse
}

function largestOpen(alpha: Float64Array, open: Uint8Array): number {
  let best = -1
  for (let i = 0; i < alpha.length; i += 1) {
    if (open[i] === 1 && (best < 0 || Math.abs(real(alpha, i)) > Math.abs(real(alpha, best)))) best = i
  }
  return best
}
