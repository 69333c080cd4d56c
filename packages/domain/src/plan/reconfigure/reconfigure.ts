import { profileOf } from '../../gpu/board.ts'
import { isFeasible } from '../../gpu/layout.ts'
import type { LinearAnswer, LinearRow, LinearSolver, SolveLimits } from '../linear/linear-program.ts'
import { concreteAnswer } from './concrete-answer.ts'
import { gpuStates } from './gpu-states.ts'
import type { ReconfigureGoal, ReconfigureProblem, Reconfiguration } from './reconfigure-problem.ts'
import {
  atMost,
  displacedCost,
  gpuCost,
  programFor,
  reconfigureModel,
  type ReconfigureModel,
} from './reconfigure-program.ts'

/**
 * The layout change that serves running work and new demand, exact: each goal is solved, fixed, and then the next. With a
 * solver that runs out of time, the answer is the best found and says so.
 */
export async function reconfigure(
  problem: ReconfigureProblem,
  options: {
    readonly goal: ReconfigureGoal
    readonly solver: LinearSolver
    readonly limits: SolveLimits
    /** The most pods that may be displaced. Undefined: any number. */
    readonly mostDisplaced?: number
  },
): Promise<Reconfiguration> {
  const unsound = unsoundProblem(problem)
  if (unsound !== undefined) return { kind: 'unknown', because: unsound }
  const model = reconfigureModel(problem, gpuStates(problem))
  const { goal, mostDisplaced } = options
  const within = mostDisplaced === undefined ? [] : [atMost(displacedCost(model), mostDisplaced)]
  const first = goal === 'fewest-displaced' ? displacedCost(model) : gpuCost(model)
  const reached = await solveGoal(model, first, { ...options, fixed: within })
  if (reached.kind !== 'optimal' && reached.kind !== 'feasible') return withoutAnswer(reached)
  if (goal !== 'fewest-displaced-at-fewest-gpus') {
    const bounds = goal === 'fewest-displaced' ? displacedBound(reached.bound) : gpuBound(reached.bound)
    return concreteAnswer(model, { values: reached.values, bounds, unproven: whyUnproven(reached) })
  }
  const second = await solveGoal(model, displacedCost(model), {
    ...options,
    fixed: [...within, atMost(first, reached.cost)],
  })
  return secondAnswer(model, reached, second)
}

const displacedBound = (displaced: number): Bounds => ({ displaced, gpus: undefined })
const gpuBound = (gpus: number): Bounds => ({ displaced: undefined, gpus })

type Bounds = Extract<Reconfiguration, { kind: 'found' }>['bounds']
type Answered = Extract<LinearAnswer, { kind: 'optimal' | 'feasible' }>

function secondAnswer(model: ReconfigureModel, reached: Answered, second: LinearAnswer): Reconfiguration {
  if (second.kind === 'optimal' || second.kind === 'feasible') {
    return concreteAnswer(model, {
      values: second.values,
      bounds: { displaced: second.bound, gpus: reached.bound },
      unproven: whyUnproven(reached) ?? whyUnproven(second),
    })
  }
  // The first goal's answer stands; it is only not known to move fewest.
  const unproven = `fewest displaced: ${second.kind === 'unknown' ? second.because : second.kind}`
  return concreteAnswer(model, { values: reached.values, bounds: gpuBound(reached.bound), unproven })
}

const solveGoal = (
  model: ReconfigureModel,
  cost: readonly number[],
  {
    solver,
    limits,
    fixed,
  }: { readonly solver: LinearSolver; readonly limits: SolveLimits; readonly fixed: readonly LinearRow[] },
): Promise<LinearAnswer> => solver.solve(programFor(model, cost, fixed), limits)

const whyUnproven = (answer: LinearAnswer): string | undefined =>
  answer.kind === 'feasible' ? answer.because : undefined

function withoutAnswer(answer: Exclude<LinearAnswer, { kind: 'optimal' | 'feasible' }>): Reconfiguration {
  if (answer.kind === 'infeasible') {
    return { kind: 'impossible', because: 'no layout of these GPUs holds what runs and what is wanted' }
  }
  return { kind: 'unknown', because: answer.kind === 'unbounded' ? 'the model is unbounded' : answer.because }
}

/** Why nothing can be planned: what a GPU is said to hold cannot be on its board. */
function unsoundProblem({ gpus, demands }: ReconfigureProblem): string | undefined {
  for (const { gpu, board, instances } of gpus) {
    const feasibility = isFeasible(board, instances)
    if (feasibility.kind === 'infeasible') return `${gpu} is said to hold an impossible layout: ${feasibility.because}`
    const alias = instances.find(({ profile }) => profileOf(board, profile)?.name !== profile)
    if (alias !== undefined) return `${gpu}: ${alias.profile} is an older name; use the board's own`
  }
  const bad = demands.find(({ count }) => !Number.isInteger(count) || count < 0)
  if (bad !== undefined) return `demand ${bad.id} wants ${bad.count} instances`
  return new Set(gpus.map(({ gpu }) => gpu)).size < gpus.length ? 'a GPU is named twice' : undefined
}
