import { mix, seedOf, uuidOf } from '../../model/hash.ts'
import { imageOf, containerOf, type WorkKind } from '../../model/tenants.ts'
import type { Cast } from '../../model/stage.ts'
import type { Owner } from '../../model/timeline.ts'
import { type JsonObject, objectAt, textIn, withValue } from '../kube/json.ts'
import { groupVersionOf, kindNamed } from '../kube/kinds.ts'
import { keyOf } from '../kube/store.ts'
import { kubeTime } from '../kube/write.ts'
import type { Demo } from './cluster.ts'
import type { OwnerReference } from './pod-object.ts'
import { objectOf } from './put-object.ts'
import { updated } from '../kube/managed-fields.ts'

type Managed = {
  readonly managedBy?: Cast['managedBy'] | undefined
  readonly owner: { readonly name: string }
  /** What made the owner itself: the marks are on the top one alone. */
  readonly above?: unknown
  readonly namespace: string
}

/** An object with the marks of the tool that keeps it as a repository or a chart says, where there is one. */
function managed(object: JsonObject, { managedBy, owner, above, namespace }: Managed): JsonObject {
  if (managedBy === undefined || above !== undefined) return object
  const { labels, annotations, writer } = MARKS[managedBy](owner.name, namespace)
  const metadata = objectAt(object, 'metadata')
  const { status, ...written } = withValue(object, ['metadata'], {
    ...metadata,
    labels: { ...objectAt(metadata, 'labels'), ...labels },
    annotations,
  })
  const time = textIn(metadata, 'creationTimestamp')
  const tool = updated(undefined, written, { ...writer, subresource: '', time })
  const controller = { manager: 'kube-controller-manager', operation: 'Update', subresource: 'status', time } as const
  return updated(tool, { ...tool, status }, controller)
}

type Mark = {
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly writer: { readonly manager: string; readonly operation: 'Apply' | 'Update' }
}

const MARKS = {
  // Since Argo CD 3.0 an annotation says whose an object is.
  argocd: (name, namespace) => ({
    labels: {},
    annotations: { 'argocd.argoproj.io/tracking-id': `${namespace}:apps/Deployment:${namespace}/${name}` },
    writer: { manager: 'argocd-controller', operation: 'Apply' },
  }),
  helm: (name, namespace) => ({
    labels: { 'app.kubernetes.io/managed-by': 'Helm' },
    annotations: { 'meta.helm.sh/release-name': name, 'meta.helm.sh/release-namespace': namespace },
    writer: { manager: 'helm', operation: 'Update' },
  }),
} satisfies Record<NonNullable<Cast['managedBy']>, (name: string, namespace: string) => Mark>

/** What an owner's object has to tell. */
export type Owned = {
  readonly namespace: string
  readonly owner: Owner
  readonly above: Owner | undefined
  readonly role: WorkKind
  readonly replicas: number
  readonly requests: Readonly<Record<string, string>>
  readonly createdAt: number
  readonly labels: Readonly<Record<string, string>>
  readonly suspended?: boolean
  /** The tool that keeps it as a repository or a chart says. */
  readonly managedBy?: Cast['managedBy'] | undefined
}

/** The reference that an owned object carries: the same identity in every run. */
export const referenceTo = (namespace: string, { kind, name }: Owner): OwnerReference => ({
  apiVersion: groupVersionOf(kindNamed(kind)),
  kind,
  name,
  uid: uuidOf(mix(seedOf(`${namespace}/${kind}/${name}`), 1)),
})

/** What an owner is found by. */
export const ownerKey = (namespace: string, { kind, name }: Owner): string => `${kind}/${keyOf(namespace, name)}`

export function putOwner(cluster: Demo, owned: Owned): void {
  cluster.store.put(kindNamed(owned.owner.kind), keyOf(owned.namespace, owned.owner.name), () =>
    managed(ownerObject(owned), owned),
  )
}

export function removeOwner(cluster: Demo, namespace: string, owner: Owner): void {
  cluster.store.remove(kindNamed(owner.kind), keyOf(namespace, owner.name))
}

function ownerObject(owned: Owned): JsonObject {
  const { owner, namespace, above, createdAt, labels } = owned
  const metadata = {
    uid: referenceTo(namespace, owner).uid,
    generation: 1,
    labels,
    ...(above === undefined
      ? {}
      : { ownerReferences: [{ ...referenceTo(namespace, above), controller: true, blockOwnerDeletion: true }] }),
  }
  return objectOf(owner.kind, { name: owner.name, namespace, createdAt, metadata }, SHAPE[owner.kind](owned))
}

const templateOf = ({ role, requests, labels }: Owned): JsonObject => ({
  metadata: { labels },
  spec: {
    containers: [{ name: containerOf(role), image: imageOf(role), resources: { limits: requests, requests } }],
  },
})
const selectorOf = ({ labels }: Owned): JsonObject => ({
  matchLabels: { 'app.kubernetes.io/name': labels['app.kubernetes.io/name'] ?? '' },
})

const scaled = (owned: Owned): { spec: JsonObject; status: JsonObject } => ({
  spec: { replicas: owned.replicas, selector: selectorOf(owned), template: templateOf(owned) },
  status: {
    observedGeneration: 1,
    replicas: owned.replicas,
    readyReplicas: owned.replicas,
    availableReplicas: owned.replicas,
    updatedReplicas: owned.replicas,
  },
})

const jobSpec = (owned: Owned): JsonObject => ({
  parallelism: owned.replicas,
  completions: owned.replicas,
  backoffLimit: 6,
  completionMode: owned.role === 'training' ? 'Indexed' : 'NonIndexed',
  suspend: owned.suspended ?? false,
  ttlSecondsAfterFinished: 3600,
  template: templateOf(owned),
})

const SHAPE = {
  Deployment: scaled,
  ReplicaSet: scaled,
  StatefulSet: (owned) => {
    const { spec, status } = scaled(owned)
    return { spec: { ...spec, serviceName: owned.owner.name }, status }
  },
  Job: (owned) => ({
    spec: jobSpec(owned),
    status:
      owned.suspended === true
        ? {}
        : { active: owned.replicas, ready: owned.replicas, startTime: kubeTime(owned.createdAt) },
  }),
  Notebook: (owned) => ({
    spec: { template: templateOf(owned) },
    status: { readyReplicas: owned.replicas, containerState: {} },
  }),
  CronJob: (owned) => ({
    spec: {
      schedule: `${seedOf(owned.owner.name) % 60} */2 * * *`,
      concurrencyPolicy: 'Forbid',
      suspend: false,
      jobTemplate: { spec: jobSpec(owned) },
    },
    status: { lastScheduleTime: kubeTime(owned.createdAt) },
  }),
} satisfies Record<Owner['kind'], (owned: Owned) => JsonObject>
