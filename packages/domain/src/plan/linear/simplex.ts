import type { LinearAnswer, LinearProgram, LinearSolver } from '../linear-program.ts'
import { AT_LOWER, AT_UPPER, BASIC, refresh, replaceInInverse, restingValue, slackBasis, solveColumn, solvePrices } from './basis.ts'
import type { Basis } from './basis.ts'
import { programError } from './program-error.ts'
import { limitStep } from './ratio-test.ts'
import { at, scaleProgram } from './scaled-program.ts'
import type { ScaledProgram } from './scaled-program.ts'

/**
 * Solves a linear program whose variables need not be whole: the bounded primal simplex method on a dense inverse, made
 * for some hundred rows. It first makes the infeasibilities vanish, then the cost fall; when it stalls it follows Bland's
 * rule, so it cannot cycle; and it stops after so many steps with `unknown`. Where whole numbers are asked for, it answers
 * only if they come out by themselves.
 */
export function solveBySimplex(program: LinearProgram, maxSteps = stepLimit(program)): LinearAnswer {
  const wrong = programError(program)
  if (wrong !== undefined) return { kind: 'unknown', bound: undefined, because: wrong }
  const scaled = scaleProgram(program)
  const basis = slackBasis(scaled)
  const ending = walk({ program: scaled, basis }, maxSteps)
  if (ending === 'infeasible' || ending === 'unbounded') return { kind: ending }
  if (ending !== 'optimal') return { kind: 'unknown', bound: undefined, because: ending }
  return wholeOnly(program, answerOf(program, scaled, basis))
}

/** The simplex method as a solver among others. It has no clock: it is limited by its number of steps. */
export const simplexSolver: LinearSolver = {
  solve: (program, limits) =>
    Promise.resolve(
      limits.signal?.aborted === true
        ? { kind: 'unknown', bound: undefined, because: 'stopped before it began' }
        : solveBySimplex(program),
    ),
  close: () => Promise.resolve(),
}

const stepLimit = (program: LinearProgram): number => 1000 + 20 * (program.rows.length + program.cost.length)

/** How far a value may be outside its bounds, and a reduced cost below 0, on the scaled program. */
const TOLERANCE = 1e-9
const STEPS_PER_REFRESH = 100
const STALLED = 40

type State = { readonly program: ScaledProgram; readonly basis: Basis }
type Ending = 'optimal' | 'infeasible' | 'unbounded' | (string & {})

function walk(state: State, maxSteps: number): Ending {
  const { program, basis } = state
  let stalled = 0
  let fresh = true
  for (let step = 0; step < maxSteps; step += 1) {
    if (step % STEPS_PER_REFRESH === STEPS_PER_REFRESH - 1 && !fresh) {
      if (!refresh(program, basis)) return 'the basis became singular'
      fresh = true
    }
    const { costs, feasible } = basicCosts(state)
    const entering = choose(state, { costs, feasible, bland: stalled > STALLED })
    if (entering === undefined) {
      // Optimal by figures that may have drifted: compute them anew and look again.
      if (fresh) return feasible ? 'optimal' : 'infeasible'
      if (!refresh(program, basis)) return 'the basis became singular'
      fresh = true
      continue
    }
    const length = move(state, entering, stalled > STALLED)
    if (length === Infinity) return feasible ? 'unbounded' : 'an infeasibility has no limit'
    stalled = length > TOLERANCE ? 0 : stalled + 1
    fresh = false
  }
  return `not finished after ${maxSteps} steps`
}

type Costs = { readonly costs: Float64Array; readonly feasible: boolean }

/** The basic columns' costs; as long as some value is outside its bounds, only how far they are outside counts. */
function basicCosts({ program, basis }: State): Costs {
  const { rows, lower, upper, cost } = program
  const costs = new Float64Array(rows)
  let feasible = true
  for (let i = 0; i < rows; i += 1) {
    const column = at(basis.head, i)
    const value = at(basis.values, i)
    if (value < at(lower, column) - slack(at(lower, column))) costs[i] = -1
    else if (value > at(upper, column) + slack(at(upper, column))) costs[i] = 1
    if (costs[i] !== 0) feasible = false
  }
  if (!feasible) return { costs, feasible }
  for (let i = 0; i < rows; i += 1) costs[i] = at(cost, at(basis.head, i))
  return { costs, feasible }
}

const slack = (limit: number): number => TOLERANCE * (1 + (Number.isFinite(limit) ? Math.abs(limit) : 0))

type Entering = { readonly column: number; readonly direction: 1 | -1 }

/** The column whose move pays most per unit; by Bland's rule the first that pays. Undefined when none does. */
function choose(
  { program, basis }: State,
  { costs, feasible, bland }: Costs & { readonly bland: boolean },
): Entering | undefined {
  const prices = solvePrices(program, basis, costs)
  const { columns, from, row, value, cost, lower, upper } = program
  let most = TOLERANCE
  let best: Entering | undefined
  for (let j = 0; j < columns; j += 1) {
    const place = at(basis.place, j)
    if (place === BASIC || at(lower, j) === at(upper, j)) continue
    let reduced = feasible ? at(cost, j) : 0
    for (let position = at(from, j); position < at(from, j + 1); position += 1) {
      reduced -= at(prices, at(row, position)) * at(value, position)
    }
    const rises = place === AT_LOWER && at(lower, j) !== -Infinity
    const gain = rises ? -reduced : reduced
    if (gain <= most) continue
    best = { column: j, direction: rises ? 1 : -1 }
    if (bland) return best
    most = gain
  }
  return best
}

/** Moves the column until something reaches a bound, and changes the basis. Returns how far it went. */
function move({ program, basis }: State, { column, direction }: Entering, bland: boolean): number {
  const alpha = solveColumn(program, basis, column)
  const step = limitStep({ program, basis, alpha, direction, bland })
  const own = at(program.upper, column) - at(program.lower, column)
  const length = Math.min(step.length, own)
  if (length === Infinity) return Infinity
  const shift = direction * length
  for (let i = 0; i < alpha.length; i += 1) basis.values[i] = at(basis.values, i) - shift * at(alpha, i)
  if (own <= step.length || step.row === undefined) {
    basis.place[column] = direction === 1 ? AT_UPPER : AT_LOWER
    return length
  }
  const value = restingValue(program, basis, column) + shift
  replaceInInverse(basis, step.row, alpha)
  basis.place[at(basis.head, step.row)] = step.to
  basis.place[column] = BASIC
  basis.head[step.row] = column
  basis.values[step.row] = value
  return length
}

function answerOf(program: LinearProgram, scaled: ScaledProgram, basis: Basis): LinearAnswer {
  const values = program.cost.map((_, j) =>
    basis.place[j] === BASIC ? 0 : restingValue(scaled, basis, j) * at(scaled.columnScale, j),
  )
  const costs = new Float64Array(scaled.rows)
  for (const [i, column] of basis.head.entries()) {
    costs[i] = at(scaled.cost, column)
    if (column >= scaled.structural) continue
    const upper = at(program.upper, column)
    values[column] = Math.min(Math.max(0, at(basis.values, i) * at(scaled.columnScale, column)), upper)
  }
  const prices = [...solvePrices(scaled, basis, costs)].map(
    (price, i) => (price * at(scaled.rowScale, i)) / scaled.costScale,
  )
  const cost = program.cost.reduce((sum, each, j) => sum + each * at(values, j), 0)
  return { kind: 'optimal', cost, values, bound: cost, prices }
}

function wholeOnly(program: LinearProgram, answer: LinearAnswer): LinearAnswer {
  if (!program.whole || answer.kind !== 'optimal') return answer
  const values = answer.values.map(Math.round)
  if (values.some((value, j) => Math.abs(value - at(answer.values, j)) > 1e-7)) {
    return { kind: 'unknown', bound: answer.bound, because: 'the simplex method cannot ask for whole numbers' }
  }
  return { ...answer, values, prices: undefined }
}
