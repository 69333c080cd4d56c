import { seedOf, suffix } from '../../model/hash.ts'
import type { Occupancy, Owner } from '../../model/timeline.ts'
import { listAt, numberAt, objectAt, same, textAt, textRecord, valueAt, type JsonObject } from '../kube/json.ts'
import { kindNamed } from '../kube/kinds.ts'
import { keyOf } from '../kube/store.ts'
import { timeText } from '../kube/write.ts'
import type { Cluster } from './cluster.ts'
import { referenceTo } from './owner-objects.ts'

/** What the object above a workload's pods wants of them. */
export type Wish = {
  readonly count: number
  /** The pods' own controller. */
  readonly controller: Owner
  readonly requests: Readonly<Record<string, string>>
  readonly nodeSelector: Readonly<Record<string, string>> | undefined
}

/** More pods of one workload the demo does not make, whatever is asked for. */
const MOST = 500

/** Undefined where nobody wants anything: no owner, or it was deleted. */
export function wishOf(cluster: Cluster, { namespace, owners }: Occupancy): Wish | undefined {
  const lead = leadOf(owners)
  const object = lead === undefined ? undefined : ownerObjectOf(cluster, namespace, lead)
  if (lead === undefined || object === undefined) return undefined
  const template = valueAt(object, 'spec', 'template')
  const [container] = listAt(template, 'spec', 'containers')
  const resources = objectAt(container, 'resources')
  const selector = textRecord(objectAt(template, 'spec', 'nodeSelector'))
  return {
    count: Math.min(MOST, lead.kind === 'Job' ? jobCount(object) : (numberAt(object, 'spec', 'replicas') ?? 1)),
    controller: lead.kind === 'Deployment' ? replicaSetFor(cluster, object) : lead,
    requests: { ...textRecord(objectAt(resources, 'limits')), ...textRecord(objectAt(resources, 'requests')) },
    nodeSelector: Object.keys(selector).length === 0 ? undefined : selector,
  }
}

/** The owner whose specification people change: a Deployment, not its ReplicaSet. */
export const leadOf = (owners: readonly Owner[]): Owner | undefined =>
  owners.at(-1)?.kind === 'ReplicaSet' ? owners.at(-2) : owners.at(-1)

export const ownerObjectOf = (cluster: Cluster, namespace: string, { kind, name }: Owner): JsonObject | undefined =>
  cluster.store.get(kindNamed(kind), keyOf(namespace, name))?.read()

export const isSuspended = (job: JsonObject | undefined): boolean => valueAt(job, 'spec', 'suspend') === true

const jobCount = (job: JsonObject): number => (isSuspended(job) ? 0 : (numberAt(job, 'spec', 'parallelism') ?? 1))

const REPLICA_SET = kindNamed('ReplicaSet')

/** The ReplicaSets that a Deployment has made, the newest of its templates among them or not. */
export function replicaSetsOf(cluster: Cluster, deployment: JsonObject): readonly JsonObject[] {
  const key = keyOf(textAt(deployment, 'metadata', 'namespace'), textAt(deployment, 'metadata', 'name'))
  const uid = textAt(deployment, 'metadata', 'uid')
  return cluster.store
    .list(REPLICA_SET)
    .filter((entry) => entry.key.startsWith(`${key}-`))
    .map((entry) => entry.read())
    .filter((each) => listAt(each, 'metadata', 'ownerReferences').some((owner) => textAt(owner, 'uid') === uid))
}

/** The ReplicaSet with a Deployment's present template, made where there is none yet. */
function replicaSetFor(cluster: Cluster, deployment: JsonObject): Owner {
  const template = valueAt(deployment, 'spec', 'template')
  const known = replicaSetsOf(cluster, deployment).find((each) => same(valueAt(each, 'spec', 'template'), template))
  if (known !== undefined) return { kind: 'ReplicaSet', name: textAt(known, 'metadata', 'name') }
  const [namespace, above] = [textAt(deployment, 'metadata', 'namespace'), textAt(deployment, 'metadata', 'name')]
  const owner = { kind: 'ReplicaSet', name: `${above}-${suffix(seedOf(JSON.stringify(template)), 9)}` } as const
  const parent = referenceTo(namespace, { kind: 'Deployment', name: above })
  cluster.store.put(REPLICA_SET, keyOf(namespace, owner.name), () => ({
    kind: 'ReplicaSet',
    apiVersion: 'apps/v1',
    metadata: {
      name: owner.name,
      namespace,
      uid: referenceTo(namespace, owner).uid,
      generation: 1,
      creationTimestamp: timeText(cluster.now()),
      labels: objectAt(template, 'metadata', 'labels'),
      ownerReferences: [{ ...parent, controller: true, blockOwnerDeletion: true }],
    },
    spec: { replicas: 0, selector: valueAt(deployment, 'spec', 'selector'), template },
    status: { observedGeneration: 1, replicas: 0 },
  }))
  return owner
}
