import { profileOf } from '../../gpu/board.ts'
import { isFeasible } from '../../gpu/layout.ts'
import type { NoAnswer, WholeAnswer } from '../linear/linear-program.ts'
import { solveWhole } from '../linear/whole-numbers.ts'
import { concreteAnswer } from './concrete-answer.ts'
import { gpuStates } from './gpu-states.ts'
import type { ReconfigureGoal, ReconfigureProblem, Reconfiguration } from './reconfigure-problem.ts'
import { atMost, displacedCost, gpuCost, programFor, reconfigureModel } from './reconfigure-program.ts'

/**
 * The layout change that serves running work and new demand: each goal is solved, fixed, and then the next. Where that is
 * not proven best, the answer says so.
 */
export function reconfigure(
  problem: ReconfigureProblem,
  {
    goal,
    mostDisplaced,
  }: {
    readonly goal: ReconfigureGoal
    /** The most pods that may be displaced. Undefined: any number. */
    readonly mostDisplaced?: number
  },
): Reconfiguration {
  const unsound = unsoundProblem(problem)
  if (unsound !== undefined) return { kind: 'unknown', because: unsound }
  const model = reconfigureModel(problem, gpuStates(problem))
  const within = mostDisplaced === undefined ? [] : [atMost(displacedCost(model), mostDisplaced)]
  const first = goal === 'fewest-displaced' ? displacedCost(model) : gpuCost(model)
  const reached = solveWhole(programFor(model, first, within))
  if (reached.kind !== 'found') return withoutAnswer(reached)
  if (goal !== 'fewest-displaced-at-fewest-gpus') {
    const bounds = goal === 'fewest-displaced' ? { displaced: reached.bound, gpus: undefined } : gpuBound(reached)
    return concreteAnswer(model, { ...reached, bounds })
  }
  const second = solveWhole(programFor(model, displacedCost(model), [...within, atMost(first, reached.cost)]))
  if (second.kind === 'found') {
    const bounds = { displaced: second.bound, gpus: reached.bound }
    return concreteAnswer(model, { values: second.values, bounds, unproven: reached.unproven ?? second.unproven })
  }
  // The first goal's answer stands; it is only not known to move fewest.
  const unproven = `fewest displaced: ${second.kind === 'unknown' ? second.because : second.kind}`
  return concreteAnswer(model, { values: reached.values, bounds: gpuBound(reached), unproven })
}

const gpuBound = ({ bound }: Extract<WholeAnswer, { kind: 'found' }>) => ({ displaced: undefined, gpus: bound })

function withoutAnswer(answer: NoAnswer): Reconfiguration {
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
