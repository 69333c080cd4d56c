import type { LinearAnswer, LinearProgram, LinearRow } from '@septet/domain'

import type { HighsOutcome } from './highs-message.ts'

const TOLERANCE = 1e-6

/**
 * What an outcome of the solver is worth. Values are made whole where they must be, and checked against every row and
 * limit before they are believed; "optimal" is said only where the bound reaches the cost.
 */
export function judgeOutcome(program: LinearProgram, outcome: HighsOutcome): LinearAnswer {
  const bound = strengthened(program, outcome.bound)
  if (outcome.status === 'infeasible' || outcome.status === 'unbounded') return { kind: outcome.status }
  if (outcome.values === undefined) return { kind: 'unknown', bound, because: REASONS[outcome.status] }
  return judgeValues(program, {
    values: outcome.values,
    prices: outcome.prices,
    proven: outcome.status === 'optimal',
    because: outcome.status === 'optimal' ? WITHIN_GAP : REASONS[outcome.status],
    bound,
  })
}

/** Why an answer is not proven, by the status that the solver stopped with. */
const REASONS = {
  optimal: 'the solver reports an optimum without values',
  infeasible: 'nothing is allowed',
  unbounded: 'nothing is best',
  'unbounded-or-infeasible': 'the solver cannot tell whether nothing is allowed or nothing is best',
  'time-limit': 'the time limit was reached',
  'solution-limit': 'a limit of the search was reached',
  'not-trusted': 'the solver stopped with a status that it does not trust itself',
} as const

type Judged = {
  readonly values: Float64Array
  readonly prices: Float64Array | undefined
  readonly bound: number | undefined
  /** Whether the solver calls it best, within the gap. */
  readonly proven: boolean
  readonly because: string
}

/** The best answer that a search had found when it was stopped. */
export const judgeIncumbent = (
  program: LinearProgram,
  found: { readonly values: Float64Array; readonly bound: number; readonly because: string },
): LinearAnswer =>
  judgeValues(program, {
    proven: false,
    because: found.because,
    values: found.values,
    prices: undefined,
    bound: strengthened(program, Math.abs(found.bound) < 1e20 ? found.bound : undefined),
  })

function judgeValues(program: LinearProgram, { values: raw, prices, bound, proven, because }: Judged): LinearAnswer {
  const values = settled(program, raw)
  const broken = brokenRule(program, values)
  if (broken !== undefined) return { kind: 'unknown', bound, because: `the solver's answer breaks a rule: ${broken}` }
  const cost = costOf(program, values)
  if (bound === undefined) return { kind: 'unknown', bound, because: `${because}, and no bound is known` }
  const below = Math.min(bound, cost)
  if (proven && !program.whole) {
    return { kind: 'optimal', cost, values, bound: below, prices: prices === undefined ? undefined : [...prices] }
  }
  return cost - below <= TOLERANCE * Math.max(1, Math.abs(cost))
    ? { kind: 'optimal', cost, values, bound: below, prices: undefined }
    : { kind: 'feasible', cost, values, bound: below, because }
}

const WITHIN_GAP = 'the distance to the bound is within the gap that was asked for'

/** Whole numbers where they must be, and nothing just below 0. */
const settled = ({ whole }: LinearProgram, values: Float64Array): number[] =>
  Array.from(values, (value) => (whole ? Math.round(value) : value)).map((value) =>
    value <= 0 && value > -TOLERANCE ? 0 : value,
  )

/** Whole numbers at whole costs cost a whole number, so the bound rises to the next. */
function strengthened({ whole, cost }: LinearProgram, bound: number | undefined): number | undefined {
  if (bound === undefined || !whole || !cost.every((each) => Number.isInteger(each))) return bound
  // Adding 0 turns -0 into 0.
  return Math.ceil(bound - TOLERANCE * Math.max(1, Math.abs(bound))) + 0
}

const costOf = ({ cost }: LinearProgram, values: readonly number[]): number =>
  cost.reduce((sum, each, index) => sum + each * (values[index] ?? 0), 0)

function brokenRule({ upper, rows }: LinearProgram, values: readonly number[]): string | undefined {
  if (values.length !== upper.length) return `${values.length} values for ${upper.length} variables`
  const outside = values.findIndex(
    (value, index) =>
      !(value >= 0) || value > (upper[index] ?? 0) + TOLERANCE * Math.max(1, Math.abs(upper[index] ?? 0)),
  )
  if (outside >= 0) return `variable ${outside} is ${values[outside]}, allowed are 0 to ${upper[outside]}`
  const row = rows.findIndex((each) => !holds(each, values))
  return row >= 0 ? `row ${row} does not hold` : undefined
}

function holds({ kind, bound, terms }: LinearRow, values: readonly number[]): boolean {
  let sum = 0
  let size = Math.max(1, Number.isFinite(bound) ? Math.abs(bound) : 0)
  for (const [variable, coefficient] of terms) {
    const part = coefficient * (values[variable] ?? 0)
    sum += part
    size = Math.max(size, Math.abs(part))
  }
  const slack = TOLERANCE * size
  return (kind === 'at-least' || sum <= bound + slack) && (kind === 'at-most' || sum >= bound - slack)
}
