import { seedOf, suffix } from '../../model/hash.ts'
import type { Occupancy, Owner } from '../../model/timeline.ts'
import { listIn, numberIn, objectAt, same, textIn, textRecord, valueIn, type JsonObject } from '../kube/json.ts'
import { kindNamed } from '../kube/kinds.ts'
import { keyOf } from '../kube/store.ts'
import { putObject } from './put-object.ts'
import type { Demo } from './cluster.ts'
import { referenceTo } from './owner-objects.ts'

/** What the object above a workload's pods wants of them. */
export type WorkWish = {
  readonly count: number
  /** The pods' own controller. */
  readonly controller: Owner
  readonly requests: Readonly<Record<string, string>>
  readonly nodeSelector: Readonly<Record<string, string>> | undefined
}

/** More pods of one workload the demo does not make, whatever is asked for. */
const MOST = 500

/** Undefined where nobody wants anything: no owner, or it was deleted. */
export function workWish(cluster: Demo, { namespace, owners }: Occupancy): WorkWish | undefined {
  const lead = leadOf(owners)
  const object = lead === undefined ? undefined : ownerObjectOf(cluster, namespace, lead)
  if (lead === undefined || object === undefined) return undefined
  const template = valueIn(object, 'spec', 'template')
  const [container] = listIn(template, 'spec', 'containers')
  const resources = objectAt(container, 'resources')
  const selector = textRecord(objectAt(template, 'spec', 'nodeSelector'))
  return {
    count: Math.min(MOST, lead.kind === 'Job' ? jobCount(object) : (numberIn(object, 'spec', 'replicas') ?? 1)),
    controller: lead.kind === 'Deployment' ? replicaSetFor(cluster, object) : lead,
    requests: { ...textRecord(objectAt(resources, 'limits')), ...textRecord(objectAt(resources, 'requests')) },
    nodeSelector: Object.keys(selector).length === 0 ? undefined : selector,
  }
}

/** The owner whose specification people change: a Deployment, not its ReplicaSet. */
export const leadOf = (owners: readonly Owner[]): Owner | undefined =>
  owners.at(-1)?.kind === 'ReplicaSet' ? owners.at(-2) : owners.at(-1)

export const ownerObjectOf = (cluster: Demo, namespace: string, { kind, name }: Owner): JsonObject | undefined =>
  cluster.store.get(kindNamed(kind), keyOf(namespace, name))?.read()

export const isSuspended = (job: JsonObject | undefined): boolean => valueIn(job, 'spec', 'suspend') === true

const jobCount = (job: JsonObject): number => (isSuspended(job) ? 0 : (numberIn(job, 'spec', 'parallelism') ?? 1))

const REPLICA_SET = kindNamed('ReplicaSet')

/** The ReplicaSets that a Deployment has made, the newest of its templates among them or not. */
export function replicaSetsOf(cluster: Demo, deployment: JsonObject): readonly JsonObject[] {
  const key = keyOf(textIn(deployment, 'metadata', 'namespace'), textIn(deployment, 'metadata', 'name'))
  const uid = textIn(deployment, 'metadata', 'uid')
  return cluster.store
    .list(REPLICA_SET)
    .filter((entry) => entry.key.startsWith(`${key}-`))
    .map((entry) => entry.read())
    .filter((each) => listIn(each, 'metadata', 'ownerReferences').some((owner) => textIn(owner, 'uid') === uid))
}

/** The ReplicaSet with a Deployment's present template, made where there is none yet. */
function replicaSetFor(cluster: Demo, deployment: JsonObject): Owner {
  const template = valueIn(deployment, 'spec', 'template')
  const known = replicaSetsOf(cluster, deployment).find((each) => same(valueIn(each, 'spec', 'template'), template))
  if (known !== undefined) return { kind: 'ReplicaSet', name: textIn(known, 'metadata', 'name') }
  const [namespace, above] = [textIn(deployment, 'metadata', 'namespace'), textIn(deployment, 'metadata', 'name')]
  const owner = { kind: 'ReplicaSet', name: `${above}-${suffix(seedOf(JSON.stringify(template)), 9)}` } as const
  const parent = referenceTo(namespace, { kind: 'Deployment', name: above })
  const metadata = {
    uid: referenceTo(namespace, owner).uid,
    generation: 1,
    labels: objectAt(template, 'metadata', 'labels'),
    ownerReferences: [{ ...parent, controller: true, blockOwnerDeletion: true }],
  }
  putObject(cluster, 'ReplicaSet', [
    { name: owner.name, namespace, createdAt: cluster.now(), metadata },
    {
      spec: { replicas: 0, selector: valueIn(deployment, 'spec', 'selector'), template },
      status: { observedGeneration: 1, replicas: 0 },
    },
  ])
  return owner
}
