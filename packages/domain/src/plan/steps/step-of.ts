import { displacedBy } from '../guardrail/displaced-by.ts'
import type { Action, PlanStep } from '../words/action.ts'
import { preconditionsOf } from './conditions.ts'
import { durationOf } from './durations.ts'
import { inverseOf } from './inverse.ts'
import type { PlanPolicy } from '../words/plan-policy.ts'
import type { PlanState } from '../state/plan-state.ts'
import { switchesModeWithReset, wordsFor } from './step-words.ts'

/** The step that an action is when it is about to run on this state. */
export const stepOf = (action: Action, state: PlanState, policy: PlanPolicy): Omit<PlanStep, 'number'> => ({
  action,
  ...wordsFor(action, state),
  preconditions: preconditionsOf(action, state),
  displaced: displacedBy(action, state),
  duration: durationOf(action, needsReset(action, state), policy),
  inverse: inverseOf(action, state),
})

function needsReset(action: Action, state: PlanState): boolean {
  if (action.kind !== 'repartition') return false
  const node = state.nodes.get(action.node)
  return node !== undefined && action.gpus.some((change) => switchesModeWithReset(node, change))
}
