import { compareText, type DisruptionBudget } from '@septet/domain'
import type { OwnedPod } from './assemble-pods.ts'
import { matches } from '../read/label-selector.ts'
import type { BudgetFacts } from '../read/parse-budget.ts'

/** Budgets that cover a pod of the list, by id, each with those pods. */
export function assembleBudgets(all: Iterable<BudgetFacts>, pods: readonly OwnedPod[]): readonly DisruptionBudget[] {
  const facts = [...all]
  const namespaces = new Set(facts.map(({ namespace }) => namespace))
  const near = finder(
    facts,
    pods.filter(({ pod }) => namespaces.has(pod.namespace)),
  )
  const budgets: DisruptionBudget[] = []
  for (const { namespace, name, selector, allowed } of facts) {
    if (selector === undefined) continue
    const covered = near(namespace, firstLabel(selector)).filter(({ labels }) => matches(selector, labels))
    if (covered.length > 0)
      budgets.push({ id: `${namespace}/${name}`, pods: covered.map(({ pod }) => pod.id), allowed })
  }
  return budgets.toSorted((a, b) => compareText(a.id, b.id))
}

type Label = readonly [key: string, value: string]
type Selector = NonNullable<BudgetFacts['selector']>

const firstLabel = ({ matchLabels }: Selector): Label | undefined => Object.entries(matchLabels)[0]

/** Finds the pods of a namespace that have a label, so that each budget looks at few. */
function finder(
  facts: readonly BudgetFacts[],
  pods: readonly OwnedPod[],
): (namespace: string, label: Label | undefined) => readonly OwnedPod[] {
  const keys = new Set(facts.flatMap(({ selector }) => (selector && firstLabel(selector)?.[0]) ?? []))
  const byNamespace = Map.groupBy(pods, ({ pod }) => pod.namespace)
  const byLabel = new Map<string, OwnedPod[]>()
  for (const each of pods) {
    for (const key of keys) {
      const value = each.labels[key]
      if (value === undefined) continue
      const at = `${each.pod.namespace}\n${key}\n${value}`
      const list = byLabel.get(at)
      if (list === undefined) byLabel.set(at, [each])
      else list.push(each)
    }
  }
  return (namespace, label) =>
    (label === undefined ? byNamespace.get(namespace) : byLabel.get(`${namespace}\n${label.join('\n')}`)) ?? []
}
