import { solveBySimplex } from './simplex.ts'
import type { LinearProgram, LinearRow, WholeAnswer } from './linear-program.ts'

/**
 * Whole-number answers in milliseconds, without a search: solves the linear relaxation, keeps the whole part of its values,
 * solves again for what is left, and rounds one value up where nothing whole is left. The relaxation is the bound; an answer
 * that reaches it is the best there is.
 */
export function solveWhole(program: LinearProgram): WholeAnswer {
  const relaxed = solveBySimplex(program)
  if (relaxed.kind !== 'optimal') return relaxed
  const bound = program.cost.every(Number.isInteger)
    ? Math.ceil(relaxed.cost - TOLERANCE * scale(relaxed.cost)) + 0
    : relaxed.cost
  let best: Whole | undefined
  for (const rule of RULES) {
    const values = dive(program, relaxed.values, rule)
    const cost = program.cost.reduce((sum, each, index) => sum + each * (values?.[index] ?? 0), 0)
    if (values === undefined || (best !== undefined && best.cost <= cost)) continue
    best = { cost, values }
    if (cost - bound <= TOLERANCE * scale(cost)) {
      return { kind: 'found', ...best, bound: Math.min(bound, cost), unproven: undefined }
    }
  }
  return best === undefined
    ? { kind: 'unknown', because: 'rounding found no answer; a search might' }
    : { kind: 'found', ...best, bound, unproven: 'found by rounding a relaxation, without a search' }
}

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
  return solveReduced({ cost: program.cost, upper: room, rows })
}

/** Leaves out every variable that must be 0: after rounding, most rows are used up, and what is left is small. */
function solveReduced({ cost, upper, rows }: LinearProgram): readonly number[] | undefined {
  const spent = new Set(rows.filter(isSpent))
  const gone = new Set([...spent].flatMap(({ terms }) => terms.map(([variable]) => variable)))
  const kept = [...cost.keys()].filter((variable) => (upper[variable] ?? 0) > 0 && !gone.has(variable))
  const place = new Map(kept.map((variable, index) => [variable, index]))
  const left = rows
    .filter((row) => !spent.has(row))
    .map((row) => ({
      ...row,
      terms: row.terms.flatMap(([variable, each]): LinearRow['terms'] => {
        const index = place.get(variable)
        return index === undefined ? [] : [[index, each]]
      }),
    }))
  if (left.some((row) => row.terms.length === 0 && !holdsEmpty(row))) return undefined
  const answer = solveBySimplex({
    cost: kept.map((variable) => cost[variable] ?? 0),
    upper: kept.map((variable) => upper[variable] ?? 0),
    rows: left.filter(({ terms }) => terms.length > 0),
  })
  if (answer.kind !== 'optimal') return undefined
  return cost.map((_, variable) => answer.values[place.get(variable) ?? -1] ?? 0)
}

const isSpent = ({ kind, bound, terms }: LinearRow): boolean =>
  kind !== 'at-least' && Math.abs(bound) < TOLERANCE && terms.every(([, each]) => each > 0)

const holdsEmpty = ({ kind, bound }: LinearRow): boolean =>
  (kind === 'at-least' || bound > -TOLERANCE) && (kind === 'at-most' || bound < TOLERANCE)
