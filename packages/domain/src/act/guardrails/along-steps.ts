import type { Guardrail } from '../../plan/guardrail/guardrail.ts'
import { quotaUse } from '../../plan/guardrail/respects-quota.ts'
import { drop, put, rollBack, type Fleet } from '../../fleet/fleet.ts'
import type { Action } from '../../plan/words/action.ts'
import type { ActRule } from './act-context.ts'

/**
 * A guardrail of planning as one of acting: asked about each step on the cluster as it is now, as if all steps before had
 * been done. Nothing else can refuse on the way, so that each guardrail says what it has to say.
 */
export const alongSteps =
  (guardrail: Guardrail): ActRule =>
  ({ run, state, plans }) => {
    const began = state.journal.length
    for (const { action } of run.plan.steps) {
      const verdict = guardrail(action, state, plans)
      if (verdict.kind === 'refuse') {
        rollBack(state, began)
        return verdict
      }
      assumeDone(action, state)
    }
    rollBack(state, began)
    return undefined
  }

/** What a step uses up and who it takes away, done without asking. */
function assumeDone(action: Action, state: Fleet): void {
  for (const { quota, by } of quotaUse(action, state)) {
    put(state, state.quotas, [quota.id, { ...quota, used: quota.used + by }])
  }
  if (action.kind !== 'evict') return
  for (const id of state.budgetsOf.get(action.pod) ?? []) {
    const budget = state.budgets.get(id)
    if (budget !== undefined) put(state, state.budgets, [id, { ...budget, allowed: budget.allowed - 1 }])
  }
  drop(state, state.pods, action.pod)
}
