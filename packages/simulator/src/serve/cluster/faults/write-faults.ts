import type { Demo } from '../cluster.ts'
import { accessOf } from '../../kube/rbac.ts'
import { isDryRun, type ApiRequest } from '../../kube/request.ts'
import { Refused, modified } from '../../kube/status.ts'
import { keyOf } from '../../kube/store.ts'
import type { FaultName } from './fault-kinds.ts'
import type { Fault } from './fault-list.ts'
import { textIn, withValue } from '../../kube/json.ts'
import { updated } from '../../kube/managed-fields.ts'
import { kubeTime } from '../../kube/write.ts'

const FILE = 'config.yaml'

/** Somebody else is a moment faster: a ConfigMap is no longer what the writer has read. */
function raceForConfig(cluster: Demo, { kind, namespace, name = '' }: ApiRequest): void {
  const key = keyOf(namespace, name)
  const before = kind.kind === 'ConfigMap' ? cluster.store.get(kind, key)?.read() : undefined
  if (before === undefined || cluster.faults.take('config-race', {}) === undefined) return
  const text = textIn(before, 'data', FILE)
  const entry = `  somebody-else-${cluster.store.version()}:\n    - devices: all\n      mig-enabled: false\n`
  const after = withValue(before, ['data', FILE], `${text.trimEnd()}\n${entry}`)
  const time = kubeTime(cluster.now())
  const object = updated(before, after, { manager: 'kubectl-edit', operation: 'Update', subresource: '', time })
  cluster.store.put(kind, key, () => object)
}

/** What goes wrong before a write is done; throws what is answered instead of doing it. */
export function disturbWrite(cluster: Demo, request: ApiRequest): void {
  if (!isWrite(request)) return
  raceForConfig(cluster, request)
  const { kind, name = '' } = request
  if (taken(cluster, 'api-409', request) !== undefined) throw modified(kind, name)
  const busy = taken(cluster, 'api-429', request)
  if (busy !== undefined) {
    const message = 'Too many requests, please try again later.'
    // Of priority and fairness: plain text, and no Status.
    throw new Refused(429, '', { message, details: { retryAfterSeconds: Math.ceil(busy.seconds ?? 1) } })
  }
  if (taken(cluster, 'api-500', request) !== undefined) throw timedOut()
}

/** What goes wrong after a write was done: true when nobody gets the answer; throws another one. */
export function loseAnswer(cluster: Demo, request: ApiRequest): boolean {
  if (!isWrite(request)) return false
  if (taken(cluster, 'answer-wrong', request) !== undefined) throw timedOut()
  return taken(cluster, 'answer-lost', request) !== undefined
}

const isWrite = (request: ApiRequest): boolean => request.verb !== 'get' && !isDryRun(request)

function taken(cluster: Demo, fault: FaultName, request: ApiRequest): Fault | undefined {
  const { kind, namespace, name = '' } = request
  return cluster.faults.take(fault, {
    resource: accessOf(request).resource,
    ...(kind.kind === 'Node' ? { node: name } : {}),
    ...(kind.kind === 'Pod' ? { pod: keyOf(namespace, name) } : {}),
  })
}

const timedOut = (): Refused =>
  new Refused(500, 'InternalError', { message: 'Internal error occurred: etcdserver: request timed out' })
