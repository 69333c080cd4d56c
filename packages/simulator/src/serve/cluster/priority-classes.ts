import { objectAt, textIn, withValue, type JsonObject } from '../kube/json.ts'
import { kindNamed } from '../kube/kinds.ts'
import { POD, type Demo } from './cluster.ts'
import { URGENCY } from './pod-rules.ts'
import { putObject } from './put-object.ts'
import { refusal } from './quotas.ts'

const CREATED = Date.UTC(2025, 5, 2, 9)

/** Those of the demo's teams, and the two that every API server makes. */
export function putPriorityClasses(cluster: Demo): void {
  const own = Object.values(URGENCY).map(({ priority, priorityClass }) => [priorityClass, priority] as const)
  const all = [...own, ['system-cluster-critical', 2_000_000_000], ['system-node-critical', 2_000_001_000]] as const
  for (const [name, value] of all)
    if (name !== undefined)
      putObject(cluster, 'PriorityClass', [
        { name, createdAt: CREATED },
        { value, preemptionPolicy: 'PreemptLowerPriority' },
      ])
}

/** Admission plugin Priority: a pod gets the number of its class. Throws where there is no such class. */
export function withPriority(cluster: Demo, pod: JsonObject): JsonObject {
  const className = textIn(pod, 'spec', 'priorityClassName')
  if (className === '') return pod
  const found = cluster.store.get(kindNamed('PriorityClass'), className)?.read()
  if (found === undefined) throw refusal(POD, pod, `no PriorityClass with name ${className} was found`)
  const { value = 0, preemptionPolicy = 'PreemptLowerPriority' } = found
  return withValue(pod, ['spec'], { ...objectAt(pod, 'spec'), priority: value, preemptionPolicy })
}
