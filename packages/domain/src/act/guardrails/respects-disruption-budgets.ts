import { planRespectsDisruptionBudgets as onOneStep } from '../../plan/guardrail/respects-disruption-budgets.ts'
import { alongSteps } from './along-steps.ts'

/** The evictions of the plan together stay inside what disruption budgets allow now. */
export const respectsDisruptionBudgets = alongSteps(onOneStep)
