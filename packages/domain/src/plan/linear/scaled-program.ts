import type { LinearProgram, LinearRow } from './linear-program.ts'

/**
 * A linear program in columns, with one slack for each row (row + slack = bound), and scaled by powers of two, so that
 * scaling itself rounds nothing. Columns `0 … structural - 1` are the variables, the rest are the slacks.
 */
export type ScaledProgram = {
  readonly rows: number
  readonly structural: number
  readonly columns: number
  /** Column j's entries are `from[j]` to `from[j + 1] - 1` of `row` and `value`. */
  readonly from: Int32Array
  readonly row: Int32Array
  readonly value: Float64Array
  readonly cost: Float64Array
  readonly lower: Float64Array
  readonly upper: Float64Array
  readonly bound: Float64Array
  readonly rowScale: Float64Array
  readonly columnScale: Float64Array
  readonly costScale: number
}

export function scaleProgram(program: LinearProgram): ScaledProgram {
  const structural = program.cost.length
  const rows = program.rows.length
  const rowScale = Float64Array.from(program.rows, (row) => powerOfTwo(largest(row)))
  const columnScale = columnScales(program, rowScale)
  const costScale = powerOfTwo(
    program.cost.reduce((most, cost, j) => Math.max(most, Math.abs(cost * real(columnScale, j))), 0),
  )
  const columns = structural + rows
  const scaled: ScaledProgram = {
    rows,
    structural,
    columns,
    ...entries(program, rowScale, columnScale),
    cost: new Float64Array(columns),
    lower: new Float64Array(columns),
    upper: new Float64Array(columns),
    bound: Float64Array.from(program.rows, (row, i) => row.bound * real(rowScale, i)),
    rowScale,
    columnScale,
    costScale,
  }
  for (let j = 0; j < structural; j += 1) {
    scaled.cost[j] = at(program.cost, j) * real(columnScale, j) * costScale
    scaled.upper[j] = at(program.upper, j) / real(columnScale, j)
  }
  for (const [i, { kind }] of program.rows.entries()) {
    scaled.lower[structural + i] = kind === 'at-least' ? -Infinity : 0
    scaled.upper[structural + i] = kind === 'at-most' ? Infinity : 0
  }
  return scaled
}

// An element that the caller knows to exist. One function for each kind of list, so that each stays fast.
export const real = (list: Float64Array, index: number): number => list[index] ?? 0
export const whole = (list: Int32Array, index: number): number => list[index] ?? 0
const at = (list: readonly number[], index: number): number => list[index] ?? 0

const largest = (row: LinearRow): number => row.terms.reduce((most, [, value]) => Math.max(most, Math.abs(value)), 0)

const powerOfTwo = (size: number): number => (size > 0 ? 2 ** -Math.round(Math.log2(size)) : 1)

function columnScales(program: LinearProgram, rowScale: Float64Array): Float64Array {
  const most = new Float64Array(program.cost.length)
  for (const [i, { terms }] of program.rows.entries()) {
    for (const [j, value] of terms) most[j] = Math.max(real(most, j), Math.abs(value) * real(rowScale, i))
  }
  return most.map(powerOfTwo)
}

function entries(
  program: LinearProgram,
  rowScale: Float64Array,
  columnScale: Float64Array,
): Pick<ScaledProgram, 'from' | 'row' | 'value'> {
  const structural = program.cost.length
  const from = new Int32Array(structural + program.rows.length + 1)
  for (const { terms } of program.rows) for (const [j] of terms) from[j + 1] = whole(from, j + 1) + 1
  for (let i = 0; i < program.rows.length; i += 1) from[structural + i + 1] = 1
  for (let j = 1; j < from.length; j += 1) from[j] = whole(from, j) + whole(from, j - 1)
  const row = new Int32Array(whole(from, from.length - 1))
  const value = new Float64Array(row.length)
  const next = from.slice()
  const put = (j: number, i: number, entry: number): void => {
    const position = whole(next, j)
    next[j] = position + 1
    row[position] = i
    value[position] = entry
  }
  for (const [i, { terms }] of program.rows.entries()) {
    for (const [j, coefficient] of terms) put(j, i, coefficient * real(rowScale, i) * real(columnScale, j))
    put(structural + i, i, 1)
  }
  return { from, row, value }
}
