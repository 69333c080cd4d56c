import type { Cluster } from '../cluster.ts'
import { textAt, withValue } from '../../kube/json.ts'
import { updated } from '../../kube/managed-fields.ts'
import type { ApiRequest } from '../../kube/request.ts'
import { keyOf } from '../../kube/store.ts'
import { timeText } from '../../kube/write.ts'

const FILE = 'config.yaml'

/** Somebody else is a moment faster: a ConfigMap is no longer what the writer has read. */
export function raceForConfig(cluster: Cluster, { kind, namespace, name = '' }: ApiRequest): void {
  const key = keyOf(namespace, name)
  const before = kind.kind === 'ConfigMap' ? cluster.store.get(kind, key)?.read() : undefined
  if (before === undefined || cluster.faults.take('config-race', {}) === undefined) return
  const text = textAt(before, 'data', FILE)
  const entry = `  somebody-else-${cluster.store.version()}:\n    - devices: all\n      mig-enabled: false\n`
  const after = withValue(before, ['data', FILE], `${text.trimEnd()}\n${entry}`)
  const time = timeText(cluster.now())
  const object = updated(before, after, { manager: 'kubectl-edit', operation: 'Update', subresource: '', time })
  cluster.store.put(kind, key, () => object)
}
