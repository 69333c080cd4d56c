import type { ClusterWrite, LiveObject, ObjectRef } from '../cluster-writer.ts'
import { listAt, textAt } from '../live-object.ts'
import type { Ruled, StepAsk } from './decision.ts'

export const configMapRef = (namespace: string, name: string): ObjectRef => ({
  group: '',
  version: 'v1',
  resource: 'configmaps',
  namespace,
  name,
})

export function* operatorPolicies(): Generator<StepAsk, Ruled, Ruled> {
  return yield {
    kind: 'objects',
    objects: { group: 'nvidia.com', version: 'v1', resource: 'clusterpolicies', namespace: undefined },
  }
}

/** The ConfigMap that the ClusterPolicy names for a part of the operator; undefined where that is NVIDIA's own, or none. */
export function* ownConfigMap(part: 'migManager' | 'devicePlugin'): Generator<StepAsk, string | undefined, Ruled> {
  const policies = yield* operatorPolicies()
  const names = policies.map((policy) => textAt(policy, 'spec', part, 'config', 'name'))
  return names.find((name) => name !== '' && name !== 'default-mig-parted-config')
}

/** The pod of one of the operator's DaemonSets on a node. */
export function* operatorPod(of: {
  readonly app: string
  readonly node: string
  readonly namespace: string
}): Generator<StepAsk, LiveObject | undefined, Ruled> {
  const pods = yield {
    kind: 'objects',
    objects: { group: '', version: 'v1', resource: 'pods', namespace: of.namespace },
    labelSelector: `app=${of.app}`,
    fieldSelector: `spec.nodeName=${of.node}`,
  }
  return pods[0]
}

/** Its DaemonSet makes it again, which is how it is made to read its files again. */
export const podDeletion = (pod: LiveObject, namespace: string): ClusterWrite => ({
  verb: 'delete',
  object: { group: '', version: 'v1', resource: 'pods', namespace, name: textAt(pod, 'metadata', 'name') },
  uid: textAt(pod, 'metadata', 'uid'),
})

/**
 * When Septet last wrote an object, by the API server's clock; empty where it never did. Times of the API are whole seconds of
 * UTC in one form, so that their texts compare as they do.
 */
export const writtenAt = (object: LiveObject): string =>
  listAt(object, 'metadata', 'managedFields')
    .filter((entry) => textAt(entry, 'manager') === 'septet')
    .map((entry) => textAt(entry, 'time'))
    .reduce((latest, time) => (time > latest ? time : latest), '')
