import { unless, type Guardrail } from './guardrail.ts'

/**
 * An eviction takes one from what each budget of its pod still allows, over the whole plan. The eviction API answers 500
 * to a pod with two budgets, so such a pod cannot be evicted at all.
 */
export const planRespectsDisruptionBudgets: Guardrail = (action, { budgets, budgetsOf }) => {
  if (action.kind !== 'evict') return unless('disruption-budget', undefined)
  const own = (budgetsOf.get(action.pod) ?? []).flatMap((id) => budgets.get(id) ?? [])
  const [first, second] = own
  if (first !== undefined && second !== undefined) {
    return unless(
      'disruption-budget',
      `${action.pod} is covered by two disruption budgets (${own.map(({ id }) => id).join(', ')}), which the eviction API refuses. Leave it one.`,
    )
  }
  return unless(
    'disruption-budget',
    first === undefined || first.allowed > 0
      ? undefined
      : `The disruption budget ${first.id} allows no further eviction, so ${action.pod} stays. Wait until its pods are healthy, or raise the budget.`,
  )
}
