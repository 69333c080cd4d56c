import { draw } from '../../model/hash.ts'
import type { Occupancy } from '../../model/timeline.ts'
import { numberIn, objectAt, same, textIn, type JsonObject } from '../kube/json.ts'
import { kindNamed } from '../kube/kinds.ts'
import { keyOf } from '../kube/store.ts'
import type { Demo, LivePod } from './cluster.ts'
import { objectOf } from './put-object.ts'
import { isLeaving, podsOfWork } from './work-pods.ts'

export const BUDGET = kindNamed('PodDisruptionBudget')

/** Whether a service is guarded; some teams forgot to. */
const isGuarded = ({ slot }: Occupancy): boolean =>
  slot.role === 'inference' && slot.cast?.unguarded !== true && draw(slot.seed, 55) < 0.5

/** Writes a service's disruption budget with the health of its pods as it is now; `expected` of them are wanted. */
export function refreshBudget(cluster: Demo, occupancy: Occupancy, expected: number): void {
  const [top] = occupancy.owners
  if (top === undefined || !isGuarded(occupancy)) return
  const { namespace } = occupancy
  const key = keyOf(namespace, top.name)
  const spec = {
    minAvailable: Math.max(1, expected - 1),
    selector: { matchLabels: { 'app.kubernetes.io/name': top.name } },
  }
  const named = { name: top.name, namespace, createdAt: occupancy.createdAt, metadata: { generation: 1 } }
  const object = cluster.store.get(BUDGET, key)?.read() ?? objectOf(BUDGET.kind, named, { spec })
  // A pod that is leaving is no longer counted, although it runs.
  const healthy = podsOfWork(cluster, occupancy).filter(
    (pod) => pod.state.phase === 'running' && !isLeaving(pod),
  ).length
  const desired = numberIn(object, 'spec', 'minAvailable') ?? Math.max(1, expected - 1)
  const counted = {
    observedGeneration: numberIn(object, 'metadata', 'generation') ?? 1,
    currentHealthy: healthy,
    desiredHealthy: desired,
    expectedPods: expected,
  }
  // Whoever was let go and has not gone yet is still waited for.
  const disruptedPods = takenFrom(cluster, object, (name) => cluster.pods.get(keyOf(namespace, name)))
  const waited = Object.keys(disruptedPods).length
  const status = {
    ...counted,
    ...(waited === 0 ? {} : { disruptedPods }),
    disruptionsAllowed: Math.max(0, allowedNow(cluster, key, counted) - waited),
  }
  if (!same(objectAt(object, 'status'), status)) cluster.store.put(BUDGET, key, () => ({ ...object, status }))
}

/** For so long an eviction that was let through counts, although its pod does not go. */
const DISRUPTED_MS = 120_000

function takenFrom(cluster: Demo, budget: JsonObject, podOf: (name: string) => LivePod | undefined): JsonObject {
  const taken = Object.entries(objectAt(budget, 'status', 'disruptedPods'))
  return Object.fromEntries(
    taken.filter(([name, since]) => {
      const pod = podOf(name)
      return (
        pod !== undefined &&
        !isLeaving(pod) &&
        Date.parse(typeof since === 'string' ? since : '') + DISRUPTED_MS > cluster.now()
      )
    }),
  )
}

/** An eviction took from a budget: what came to nothing is given back in time. */
export function budgetWritten(cluster: Demo, budget: JsonObject): void {
  const [namespace, name] = [textIn(budget, 'metadata', 'namespace'), textIn(budget, 'metadata', 'name')]
  const key = keyOf(namespace, name)
  cluster.agenda.at(cluster.now() + DISRUPTED_MS, () => {
    const object = cluster.store.get(BUDGET, key)?.read()
    const taken = Object.keys(objectAt(object, 'status', 'disruptedPods')).length
    if (object === undefined || taken === 0) return
    const disruptedPods = takenFrom(cluster, object, (each) => cluster.pods.get(keyOf(namespace, each)))
    const allowed = (numberIn(object, 'status', 'disruptionsAllowed') ?? 0) + taken - Object.keys(disruptedPods).length
    const disruptionsAllowed = Math.min(allowed, allowedNow(cluster, key, objectAt(object, 'status')))
    const status = { ...objectAt(object, 'status'), disruptedPods, disruptionsAllowed }
    cluster.store.put(BUDGET, key, () => ({ ...object, status }))
  })
}

/** How many of a budget's pods may go at once. */
export const allowedNow = (cluster: Demo, key: string, counted: JsonObject): number =>
  cluster.frozenBudgets.has(key)
    ? 0
    : Math.max(0, (numberIn(counted, 'currentHealthy') ?? 0) - (numberIn(counted, 'desiredHealthy') ?? 0))

export function removeDisruptionBudget(cluster: Demo, occupancy: Occupancy): void {
  const [top] = occupancy.owners
  if (top !== undefined) cluster.store.remove(BUDGET, keyOf(occupancy.namespace, top.name))
}
