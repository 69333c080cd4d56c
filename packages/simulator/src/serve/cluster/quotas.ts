import { seedOf, uuidOf } from '../../model/hash.ts'
import { objectAt } from '../kube/json.ts'
import { kindNamed } from '../kube/kinds.ts'
import { keyOf } from '../kube/store.ts'
import { timeText } from '../kube/write.ts'
import { putStatus, type Cluster } from './cluster.ts'

const QUOTA = kindNamed('ResourceQuota')
const NAME = 'gpus'
const CREATED = Date.UTC(2025, 5, 2, 9)

/** What some teams may ask for: more than they use. */
const LIMITS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'data-science': { 'requests.nvidia.com/gpu': 24, 'requests.nvidia.com/mig-1g.10gb': 8 },
  'media-encoding': { 'requests.nvidia.com/gpu': 24 },
  sandbox: { 'requests.nvidia.com/gpu': 16, 'requests.nvidia.com/mig-1g.10gb': 4 },
}

export function putQuotas(cluster: Cluster): void {
  for (const [namespace, hard] of Object.entries(LIMITS)) {
    cluster.store.put(QUOTA, keyOf(namespace, NAME), () => ({
      kind: 'ResourceQuota',
      apiVersion: 'v1',
      metadata: {
        name: NAME,
        namespace,
        uid: uuidOf(seedOf(`${namespace}/ResourceQuota/${NAME}`)),
        creationTimestamp: timeText(CREATED),
      },
      spec: { hard: texts(hard) },
    }))
  }
  refreshQuotas(cluster)
}

/** The quota controller counts what is used, and writes it where it has changed. */
export function refreshQuotas(cluster: Cluster): void {
  for (const entry of cluster.store.list(QUOTA)) {
    const { key } = entry
    const hard = objectAt(entry.read(), 'spec', 'hard')
    const used = texts(usedOf(cluster, key.slice(0, key.indexOf('/')), Object.keys(hard)))
    putStatus(cluster, { kind: QUOTA, key }, { hard, used })
  }
}

/** Pods count from when they are made until they have ended. */
function usedOf(cluster: Cluster, namespace: string, keys: readonly string[]): Readonly<Record<string, number>> {
  const used = Object.fromEntries(keys.map((key) => [key, 0]))
  for (const { state } of cluster.pods.values()) {
    if (state.namespace !== namespace || state.endedAt !== undefined) continue
    for (const key of keys) {
      used[key] = (used[key] ?? 0) + Number(state.requests[key.replace('requests.', '')] ?? 0)
    }
  }
  return used
}

const texts = (amounts: Readonly<Record<string, number>>): Record<string, string> =>
  Object.fromEntries(Object.entries(amounts).map(([key, amount]) => [key, String(amount)]))
