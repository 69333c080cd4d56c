import { draw } from '../../model/hash.ts'
import type { Occupancy } from '../../model/timeline.ts'
import { numberIn, objectAt, same, type JsonObject } from '../kube/json.ts'
import { kindNamed } from '../kube/kinds.ts'
import { keyOf } from '../kube/store.ts'
import type { Demo } from './cluster.ts'
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
  const status = { ...counted, disruptionsAllowed: allowedNow(cluster, key, counted) }
  if (!same(objectAt(object, 'status'), status)) cluster.store.put(BUDGET, key, () => ({ ...object, status }))
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
