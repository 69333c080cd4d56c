import { solveBySimplex } from './simplex.ts'
import type { LinearProgram, LinearRow, WholeAnswer } from './linear-program.ts'

/**
 * Whole-number answers, mostly in milliseconds: solves the linear relaxation, keeps the whole part of its values, solves
 * again for what is left, and rounds one value up where nothing whole is left. The relaxation is the bound; an answer that
 * reaches it is the best there is. Else a search with so many steps looks for a better one, or proves that there is none.
 */
export function solveWhole(program: LinearProgram): WholeAnswer {
  const relaxed = solveBySimplex(program)
  if (relaxed.kind !== 'optimal') return relaxed
  const bound = leastWhole(program, relaxed.cost)
  let best: Whole | undefined
  for (const rule of RULES) {
    const values = dive(program, relaxed.values, rule)
    if (values === undefined) continue
    const cost = costOf(program, values)
    if (best === undefined || cost < best.cost) best = { cost, values }
    if (cost - bound <= TOLERANCE * scale(cost)) break
  }
  return searched(program, bound, best)
}

/** Branch and bound, up first, in so many rows of programs: a small fleet is searched whole, a large one for a second or two. */
function searched(program: LinearProgram, bound: number, found: Whole | undefined): WholeAnswer {
  let best = found
  let left = STEPS
  visit([])
  if (best !== undefined)
    return left > 0
      ? { kind: 'found', ...best, bound: best.cost, unproven: undefined }
      : { kind: 'found', ...best, bound, unproven: 'the search for a better one ended early' }
  return left > 0 ? { kind: 'infeasible' } : { kind: 'unknown', because: 'the search for one ended early' }

  function visit(rows: readonly LinearRow[]): void {
    if (left <= 0 || (best !== undefined && best.cost - bound <= TOLERANCE * scale(best.cost))) return
    left -= program.rows.length + rows.length + 1
    const answer = solveBySimplex({ ...program, rows: [...program.rows, ...rows] })
    if (answer.kind === 'unknown') left = 0
    if (answer.kind !== 'optimal') return
    if (best !== undefined && leastWhole(program, answer.cost) >= best.cost - TOLERANCE * scale(best.cost)) return
    const variable = answer.values.findIndex((value) => Math.abs(value - Math.round(value)) > TOLERANCE)
    if (variable < 0) {
      const values = answer.values.map(Math.round)
      best = { cost: costOf(program, values), values }
      return
    }
    const below = Math.floor(answer.values[variable] ?? 0)
    visit([...rows, { kind: 'at-least', bound: below + 1, terms: [[variable, 1]] }])
    visit([...rows, { kind: 'at-most', bound: below, terms: [[variable, 1]] }])
  }
}

const STEPS = 4000

const costOf = ({ cost }: LinearProgram, values: readonly number[]): number =>
  cost.reduce((sum, each, index) => sum + each * (values[index] ?? 0), 0)

/** The least that a whole answer costs where the relaxation costs so much. */
const leastWhole = ({ cost }: LinearProgram, relaxed: number): number =>
  cost.every(Number.isInteger) ? Math.ceil(relaxed - TOLERANCE * scale(relaxed)) + 0 : relaxed

const TOLERANCE = 1e-6

type Whole = { readonly cost: number; readonly values: readonly number[] }

const scale = (value: number): number => Math.max(1, Math.abs(value))

/** Whole values that keep every row, or undefined where rounding led nowhere. */
function dive(program: LinearProgram, first: readonly number[], rule: Rule): readonly number[] | undefined {
  const fixed = program.cost.map(() => 0)
  const upper = [...program.upper]
  let values: readonly number[] | undefined = first
  let raised: number | undefined
  // Every round fixes or rules out a value, and the fractional ones are no more than the rows.
  for (let round = 0; round < 4 * program.rows.length + 20; round += 1) {
    if (values === undefined) {
      if (raised === undefined) return undefined
      // Up led nowhere: this value stays where it is.
      fixed[raised] = (fixed[raised] ?? 0) - 1
      upper[raised] = fixed[raised] ?? 0
      raised = undefined
    } else {
      const fractional = keepWhole(fixed, values)
      if (fractional.length === 0) return fixed
      raised = rule(fractional).index
      fixed[raised] = (fixed[raised] ?? 0) + 1
    }
    values = solveRest(program, fixed, upper)
  }
  return undefined
}

type Fractional = { readonly index: number; readonly part: number }

/** Adds the whole parts to what is fixed; returns the parts that are left. */
function keepWhole(fixed: number[], values: readonly number[]): Fractional[] {
  return values.flatMap((value, index) => {
    const whole = Math.floor(value + TOLERANCE)
    fixed[index] = (fixed[index] ?? 0) + whole
    const part = value - whole
    return part > TOLERANCE ? [{ index, part }] : []
  })
}

/** Which value is rounded up next; where one rule misses the bound, the next is tried. */
type Rule = (parts: readonly Fractional[]) => Fractional

const RULES: readonly Rule[] = [
  (parts) => parts.reduce((most, each) => (each.part > most.part + TOLERANCE ? each : most)),
  (parts) => parts.reduce((least, each) => (each.part < least.part - TOLERANCE ? each : least)),
  (parts) => parts.reduce((first) => first),
  (parts) => parts.reduce((_, last) => last),
]

function solveRest(
  program: LinearProgram,
  fixed: readonly number[],
  upper: readonly number[],
): readonly number[] | undefined {
  const room = upper.map((limit, index) => limit - (fixed[index] ?? 0))
  if (room.some((each) => each < 0)) return undefined
  const rows = program.rows.map((row) => ({
    ...row,
    bound: row.bound - row.terms.reduce((sum, [variable, each]) => sum + each * (fixed[variable] ?? 0), 0),
  }))
  const answer = solveBySimplex({ cost: program.cost, upper: room, rows })
  return answer.kind === 'optimal' ? answer.values : undefined
}
