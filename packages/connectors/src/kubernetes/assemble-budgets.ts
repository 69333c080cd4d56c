import type { DisruptionBudget } from '@septet/domain'
import { compareText } from '@septet/domain'
import type { OwnedPod } from './assemble-pods.ts'
import { matches } from './label-selector.ts'
import type { BudgetFacts } from './parse-budget.ts'

/** Budgets that cover a pod of the list, by id, each with those pods. */
export function assembleBudgets(facts: Iterable<BudgetFacts>, pods: readonly OwnedPod[]): readonly DisruptionBudget[] {
  const byNamespace = Map.groupBy(pods, ({ pod }) => pod.namespace)
  const budgets: DisruptionBudget[] = []
  for (const { namespace, name, selector, allowed } of facts) {
    if (selector === undefined) continue
    const covered = (byNamespace.get(namespace) ?? []).filter(({ labels }) => matches(selector, labels))
    if (covered.length > 0)
      budgets.push({ id: `${namespace}/${name}`, pods: covered.map(({ pod }) => pod.id), allowed })
  }
  return budgets.toSorted((a, b) => compareText(a.id, b.id))
}
