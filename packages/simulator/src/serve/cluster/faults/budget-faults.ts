import { BUDGET, allowedNow } from '../budgets.ts'
import { POD, type Demo } from '../cluster.ts'
import { objectOf } from '../put-object.ts'
import { objectAt, textIn, withValue, type JsonObject } from '../../kube/json.ts'
import { budgetsFor } from '../../kube/evict.ts'
import { keyOf } from '../../kube/store.ts'
import type { Fault } from './fault-list.ts'

/** Budgets allow no disruption: the pod's own, one made for it where it has none, or all there are. */
export function forbidDisruption(cluster: Demo, fault: Fault): void {
  for (const key of keysFor(cluster, fault)) {
    cluster.frozenBudgets.set(key, fault.id)
    rewrite(cluster, key)
  }
}

export function allowDisruption(cluster: Demo, fault: Fault): void {
  for (const [key, id] of cluster.frozenBudgets) {
    if (id !== fault.id) continue
    cluster.frozenBudgets.delete(key)
    if (key.endsWith(`/${fault.id}`)) cluster.store.remove(BUDGET, key)
    else rewrite(cluster, key)
  }
}

function rewrite(cluster: Demo, key: string): void {
  const budget = cluster.store.get(BUDGET, key)?.read()
  if (budget === undefined) return
  const next = withValue(budget, ['status', 'disruptionsAllowed'], allowedNow(cluster, key, objectAt(budget, 'status')))
  cluster.store.put(BUDGET, key, () => next)
}

function keysFor(cluster: Demo, fault: Fault): readonly string[] {
  const { pod } = fault
  if (pod === undefined) return cluster.store.list(BUDGET).map(({ key }) => key)
  const named = cluster.store.list(POD).find(({ key }) => key === pod || key.endsWith(`/${pod}`))
  const object = named?.read()
  if (object === undefined) return []
  const budgets = budgetsFor(cluster.store, object)
  return (budgets.length > 0 ? budgets : [guard(cluster, fault, object)]).map((budget) =>
    keyOf(textIn(budget, 'metadata', 'namespace'), textIn(budget, 'metadata', 'name')),
  )
}

function guard(cluster: Demo, fault: Fault, pod: JsonObject): JsonObject {
  const namespace = textIn(pod, 'metadata', 'namespace')
  const named = { name: fault.id, namespace, createdAt: cluster.now(), metadata: { generation: 1 } }
  const budget = objectOf(BUDGET.kind, named, {
    spec: { minAvailable: 1, selector: { matchLabels: objectAt(pod, 'metadata', 'labels') } },
    status: { observedGeneration: 1, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, disruptionsAllowed: 0 },
  })
  cluster.store.put(BUDGET, keyOf(namespace, fault.id), () => budget)
  return budget
}
