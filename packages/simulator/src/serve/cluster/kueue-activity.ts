import { listAt, numberAt, textAt, valueAt, type JsonObject } from '../kube/json.ts'
import { keyOf } from '../kube/store.ts'
import { timeText } from '../kube/write.ts'
import { putStatus, type Cluster } from './cluster.ts'
import { WORKLOAD, admissionFor, refreshQueues } from './kueue.ts'

/**
 * Kueue takes the admission from a Workload that is no longer active, and gives it back when it is again. False where
 * nothing changes: what was never admitted goes on waiting.
 */
export function markActive(cluster: Cluster, workload: JsonObject, active: boolean): boolean {
  const conditions = listAt(workload, 'status', 'conditions')
  const isAdmitted = valueAt(workload, 'status', 'admission') !== undefined
  const wasEvicted = conditions.some((each) => textAt(each, 'type') === 'Evicted' && textAt(each, 'status') === 'True')
  if (active ? !wasEvicted : !isAdmitted) return false
  const [set] = listAt(workload, 'spec', 'podSets')
  const status = active ? admissionFor(numberAt(set, 'count') ?? 1, cluster.now()) : evicted(cluster.now())
  const key = keyOf(textAt(workload, 'metadata', 'namespace'), textAt(workload, 'metadata', 'name'))
  putStatus(cluster, { kind: WORKLOAD, key }, status)
  refreshQueues(cluster)
  return true
}

function evicted(at: number): { conditions: readonly JsonObject[] } {
  const message = 'The workload is deactivated'
  const condition = (type: string, status: 'True' | 'False'): JsonObject => ({
    type,
    status,
    reason: 'Deactivated',
    message,
    lastTransitionTime: timeText(at),
  })
  return {
    conditions: [condition('QuotaReserved', 'False'), condition('Evicted', 'True'), condition('Admitted', 'False')],
  }
}
