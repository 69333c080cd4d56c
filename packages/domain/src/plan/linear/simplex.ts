import type { LinearAnswer, LinearProgram } from './linear-program.ts'
import {
  AT_LOWER,
  AT_UPPER,
  BASIC,
  TOLERANCE,
  excessOf,
  refresh,
  replaceInInverse,
  restingValue,
  slackBasis,
  solveColumn,
  solvePrices,
  type Basis,
} from './basis.ts'
import { real, scaleProgram, whole, type ScaledProgram } from './scaled-program.ts'

/**
 * Solves a linear program whose variables may be fractions: the bounded primal simplex method on a dense inverse, made
 * for some hundred rows. It first makes the infeasibilities vanish, then the cost fall; when it stalls it follows Bland's
 * rule, so it cannot cycle; and it stops after so many steps with `unknown`.
 */
export function solveBySimplex(program: LinearProgram, maxSteps = stepLimit(program)): LinearAnswer {
  const wrong = programError(program)
  if (wrong !== undefined) return { kind: 'unknown', because: wrong }
  const scaled = scaleProgram(program)
  const basis = slackBasis(scaled)
  const ending = walk({ program: scaled, basis }, maxSteps)
  if (ending === 'infeasible') return { kind: 'infeasible' }
  if (ending === 'unbounded') return { kind: 'unbounded' }
  if (ending !== 'optimal') return { kind: 'unknown', because: ending }
  return answerOf(program, scaled, basis)
}

const stepLimit = (program: LinearProgram): number => 1000 + 20 * (program.rows.length + program.cost.length)

const STEPS_PER_REFRESH = 100
const STALLED = 40

type State = { readonly program: ScaledProgram; readonly basis: Basis }
/** `optimal`, `infeasible`, `unbounded`, or why it stopped. */
type Ending = string

function walk(state: State, maxSteps: number): Ending {
  const { program, basis } = state
  let stalled = 0
  let age = 0
  for (let step = 0; step < maxSteps; step += 1) {
    const { costs, feasible } = basicCosts(state)
    const bland = stalled > STALLED
    const entering = choose(state, { costs, feasible, bland })
    if (entering === undefined && age === 0) {
      const ending = endingOf(state, feasible)
      if (ending !== undefined) return ending
      continue
    }
    // Figures drift: compute them again now and then, and before the last word.
    if (entering === undefined || age === STEPS_PER_REFRESH) {
      if (!refresh(program, basis)) return 'the basis became singular'
      age = 0
      continue
    }
    const length = move(state, entering, bland)
    if (length === Infinity) return endless(feasible)
    stalled = length > TOLERANCE ? 0 : stalled + 1
    age += 1
  }
  return `not finished after ${maxSteps} steps`
}

/** What it means that no move pays; undefined: go on with what was forgiven. */
function endingOf(state: State, feasible: boolean): Ending | undefined {
  if (feasible) return 'optimal'
  return forgive(state) ? undefined : 'infeasible'
}

const endless = (feasible: boolean): Ending => (feasible ? 'unbounded' : 'an infeasibility has no limit')

type Costs = { readonly costs: Float64Array; readonly feasible: boolean }

/** The basic columns' costs; as long as some value is outside its bounds, only how far they are outside counts. */
function basicCosts({ program, basis }: State): Costs {
  const { rows, cost } = program
  const costs = new Float64Array(rows)
  let feasible = true
  for (let i = 0; i < rows; i += 1) {
    const excess = excessOf(program, basis, i)
    if (excess === 0) continue
    costs[i] = excess < 0 ? -1 : 1
    feasible = false
  }
  if (!feasible) return { costs, feasible }
  for (let i = 0; i < rows; i += 1) costs[i] = real(cost, whole(basis.head, i))
  return { costs, feasible }
}

/**
 * Sums of large figures are rounded, so a row can miss by more than the tolerance although the program has an answer. Such
 * a miss, small beside the largest figure, is forgiven once: true only where that makes the values good enough.
 */
function forgive({ program, basis }: State): boolean {
  let largest = 1
  for (const bound of program.bound) largest = Math.max(largest, Math.abs(bound))
  let worst = 0
  for (let i = 0; i < program.rows; i += 1) worst = Math.max(worst, Math.abs(excessOf(program, basis, i)))
  if (basis.tolerance > TOLERANCE || worst > TOLERANCE * largest) return false
  basis.tolerance = 2 * worst
  return true
}

type Entering = { readonly column: number; readonly direction: 1 | -1 }

/** The column whose move pays most per unit; by Bland's rule the first that pays. Undefined when none does. */
function choose(
  { program, basis }: State,
  { costs, feasible, bland }: Costs & { readonly bland: boolean },
): Entering | undefined {
  const prices = solvePrices(program, basis, costs)
  const { columns, cost, lower, upper } = program
  let most = TOLERANCE
  let best = -1
  for (let j = 0; j < columns; j += 1) {
    if (basis.place[j] === BASIC || real(lower, j) === real(upper, j)) continue
    const reduced = (feasible ? real(cost, j) : 0) - worthOf(program, prices, j)
    const gain = basis.place[j] === AT_LOWER ? -reduced : reduced
    if (gain <= most) continue
    best = j
    if (bland) break
    most = gain
  }
  return best < 0 ? undefined : { column: best, direction: basis.place[best] === AT_LOWER ? 1 : -1 }
}

function worthOf({ from, row, value }: ScaledProgram, prices: Float64Array, column: number): number {
  let worth = 0
  for (let position = whole(from, column), end = whole(from, column + 1); position < end; position += 1) {
    worth += real(prices, whole(row, position)) * real(value, position)
  }
  return worth
}

/** Moves the column until something reaches a bound, and changes the basis. Returns how far it went. */
function move({ program, basis }: State, { column, direction }: Entering, bland: boolean): number {
  const alpha = solveColumn(program, basis, column)
  const step = limitStep({ program, basis, alpha, direction, bland })
  const own = real(program.upper, column) - real(program.lower, column)
  const length = Math.min(step.length, own)
  if (length === Infinity) return Infinity
  const shift = direction * length
  for (let i = 0; i < alpha.length; i += 1) basis.values[i] = real(basis.values, i) - shift * real(alpha, i)
  if (own <= step.length || step.row === undefined) {
    basis.place[column] = direction === 1 ? AT_UPPER : AT_LOWER
    return length
  }
  const value = restingValue(program, basis, column) + shift
  replaceInInverse(basis, step.row, alpha)
  basis.place[whole(basis.head, step.row)] = step.to
  basis.place[column] = BASIC
  basis.head[step.row] = column
  basis.values[step.row] = value
  return length
}

function answerOf(program: LinearProgram, scaled: ScaledProgram, basis: Basis): LinearAnswer {
  const values = program.cost.map((_, j) =>
    basis.place[j] === BASIC ? 0 : restingValue(scaled, basis, j) * real(scaled.columnScale, j),
  )
  const costs = new Float64Array(scaled.rows)
  for (const [i, column] of basis.head.entries()) {
    costs[i] = real(scaled.cost, column)
    if (column >= scaled.structural) continue
    const upper = real(scaled.upper, column) * real(scaled.columnScale, column)
    values[column] = Math.min(Math.max(0, real(basis.values, i) * real(scaled.columnScale, column)), upper)
  }
  const prices = [...solvePrices(scaled, basis, costs)].map(
    (price, i) => (price * real(scaled.rowScale, i)) / scaled.costScale,
  )
  const cost = program.cost.reduce((sum, each, j) => sum + each * (values[j] ?? 0), 0)
  return { kind: 'optimal', cost, values, prices }
}

/** What is wrong with a program that no solver should be asked: figures that are none, or variables that do not exist. */
function programError({ cost, upper, rows }: LinearProgram): string | undefined {
  if (upper.length !== cost.length) return `${cost.length} variables have costs and ${upper.length} have limits`
  const badCost = cost.findIndex((value) => !Number.isFinite(value))
  if (badCost >= 0) return `variable ${badCost} has no finite cost`
  const badLimit = upper.findIndex((value) => !(value >= 0))
  if (badLimit >= 0) return `variable ${badLimit} has a limit below 0, or none`
  for (const [index, { bound, terms }] of rows.entries()) {
    if (!Number.isFinite(bound)) return `row ${index} has no finite bound`
    for (const [variable, coefficient] of terms) {
      if (cost[variable] === undefined) return `row ${index} names variable ${variable}, which does not exist`
      if (!Number.isFinite(coefficient)) return `row ${index} has no finite coefficient for variable ${variable}`
    }
  }
  return undefined
}

type Move = {
  readonly program: ScaledProgram
  readonly basis: Basis
  /** How the basic values fall while the entering column rises. */
  readonly alpha: Float64Array
  readonly direction: 1 | -1
  /** Whether ties go to the lowest column, as Bland's rule wants, or to the largest pivot. */
  readonly bland: boolean
}

/** How far a column can move: which row stops it, and at which of its bounds the row's column then is. */
type Step = { readonly length: number; readonly row: number | undefined; readonly to: number }

const SMALLEST_PIVOT = 1e-9
const TIE = 1e-10

/** The first basic value that reaches a bound. A value outside its bounds stops the move where it comes back inside. */
function limitStep({ program, basis, alpha, direction, bland }: Move): Step {
  let best: Step = { length: Infinity, row: undefined, to: AT_LOWER }
  for (let i = 0; i < alpha.length; i += 1) {
    const fall = direction * real(alpha, i)
    if (Math.abs(fall) < SMALLEST_PIVOT) continue
    const column = whole(basis.head, i)
    const stop = stopAt(real(basis.values, i), fall, {
      lower: real(program.lower, column),
      upper: real(program.upper, column),
      tolerance: basis.tolerance,
    })
    if (stop === undefined || stop.length > best.length + TIE) continue
    if (stop.length < best.length - TIE || best.row === undefined || isBetter(i, best.row)) best = { ...stop, row: i }
  }
  return best

  function isBetter(row: number, than: number): boolean {
    return bland
      ? whole(basis.head, row) < whole(basis.head, than)
      : Math.abs(real(alpha, row)) > Math.abs(real(alpha, than))
  }
}

type Limits = { readonly lower: number; readonly upper: number; readonly tolerance: number }

function stopAt(value: number, fall: number, { lower, upper, tolerance }: Limits): Omit<Step, 'row'> | undefined {
  if (fall > 0) {
    const to = isAbove(value, upper, tolerance) ? upper : lower
    if (to === -Infinity || isBelow(value, lower, tolerance)) return undefined
    return { length: Math.max(0, (value - to) / fall), to: to === lower ? AT_LOWER : AT_UPPER }
  }
  const to = isBelow(value, lower, tolerance) ? lower : upper
  if (to === Infinity || isAbove(value, upper, tolerance)) return undefined
  return { length: Math.max(0, (value - to) / fall), to: to === upper ? AT_UPPER : AT_LOWER }
}

const isAbove = (value: number, limit: number, tolerance: number): boolean =>
  value > limit + tolerance * (1 + Math.abs(limit))
const isBelow = (value: number, limit: number, tolerance: number): boolean =>
  value < limit - tolerance * (1 + Math.abs(limit))
