import type { Owner } from '../../model/timeline.ts'
import { listIn, numberIn, objectAt, textIn, valueIn, withValue, type Json, type JsonObject } from '../kube/json.ts'
import type { Kind } from '../kube/kinds.ts'
import { keyOf } from '../kube/store.ts'
import { type Demo, putStatus } from './cluster.ts'
import { reconcile } from './controllers.ts'
import { hold } from './hold.ts'
import { WORKLOAD, admissionFor, refreshQueues } from './kueue.ts'
import { followJob } from './lone-jobs.ts'
import { ownerKey, removeOwner } from './owner-objects.ts'
import { keep } from './owner-status.ts'
import { isSuspended, ownerObjectOf, replicaSetsOf } from './wishes.ts'
import { conditionAt, withGeneration } from '../kube/write.ts'

/** Somebody wrote or deleted an object that a controller follows: a moment later that controller does its part. */
export function ownerWritten(cluster: Demo, kind: Kind, object: JsonObject): void {
  const follow = kind === WORKLOAD ? followKueue : FOLLOW[kind.kind]
  if (follow !== undefined) cluster.agenda.at(cluster.now(), () => follow(cluster, object))
}

type Follow = (cluster: Demo, object: JsonObject) => void

const namespaceOf = (object: JsonObject): string => textIn(object, 'metadata', 'namespace')
const nameOf = (object: JsonObject): string => textIn(object, 'metadata', 'name')
const isDeleted = (object: JsonObject): boolean => textIn(object, 'metadata', 'deletionTimestamp') !== ''

const followOwner =
  (kind: Owner['kind']): Follow =>
  (cluster, object) => {
    const occupancy = cluster.owners.get(ownerKey(namespaceOf(object), { kind, name: nameOf(object) }))
    if (occupancy === undefined) return
    if (isDeleted(object)) {
      hold(cluster, occupancy)
      const at = occupancy.owners.findIndex((owner) => owner.kind === kind)
      for (const below of occupancy.owners.slice(at)) removeOwner(cluster, occupancy.namespace, below)
      for (const each of replicaSetsOf(cluster, object)) {
        removeOwner(cluster, occupancy.namespace, { kind: 'ReplicaSet', name: nameOf(each) })
      }
    }
    reconcile(cluster, occupancy)
  }

const followOwnerJob = followOwner('Job')

const FOLLOW: Readonly<Record<string, Follow>> = {
  Deployment: followOwner('Deployment'),
  ReplicaSet: (cluster, object) => {
    const occupancy = cluster.owners.get(ownerKey(namespaceOf(object), { kind: 'ReplicaSet', name: nameOf(object) }))
    if (occupancy !== undefined) reconcile(cluster, occupancy)
  },
  StatefulSet: (cluster, object) => {
    followNotebook(cluster, object)
    followOwner('StatefulSet')(cluster, object)
  },
  Notebook: (cluster, object) => {
    followNotebook(cluster, object)
    followOwner('Notebook')(cluster, object)
  },
  Job: (cluster, object) => {
    if (isHeldBack(cluster, object)) return keepSuspended(cluster, object)
    const lone = cluster.loneJobs.get(keyOf(namespaceOf(object), nameOf(object)))
    if (lone === undefined) followOwnerJob(cluster, object)
    else followJob(cluster, lone)
  },
}

const STOPPED = 'kubeflow-resource-stopped'

/** Kubeflow's controller keeps a notebook's StatefulSet at its template, and at one pod, or at none while the annotation is there. */
function followNotebook(cluster: Demo, changed: JsonObject): void {
  const [namespace, name] = [namespaceOf(changed), nameOf(changed)]
  const notebook = ownerObjectOf(cluster, namespace, { kind: 'Notebook', name })
  const owner = { kind: 'StatefulSet', name } as const
  const set = ownerObjectOf(cluster, namespace, owner)
  if (notebook === undefined || set === undefined) return
  const replicas = STOPPED in objectAt(notebook, 'metadata', 'annotations') ? 0 : 1
  const template = valueIn(notebook, 'spec', 'template')
  keep(cluster, owner, withSpec(withSpec(set, ['replicas'], replicas), ['template'], template))
  const status = { ...objectAt(notebook, 'status'), readyReplicas: replicas }
  keep(cluster, { kind: 'Notebook', name }, { ...notebook, status })
}

const withSpec = (object: JsonObject, path: readonly string[], value: Json | undefined): JsonObject =>
  withGeneration(object, withValue(object, ['spec', ...path], value))

/** Kueue has a Workload for the Job, and did not admit it. */
const isHeldBack = (cluster: Demo, job: JsonObject): boolean =>
  cluster.store
    .list(WORKLOAD)
    .filter(({ key }) => key.startsWith(keyOf(namespaceOf(job), `job-${nameOf(job)}`)))
    .map((entry) => entry.read())
    .some(
      (workload) =>
        valueIn(workload, 'status', 'admission') === undefined &&
        listIn(workload, 'metadata', 'ownerReferences').some((owner) => textIn(owner, 'name') === nameOf(job)),
    )

/** Anyone who lets a Job go on that Kueue holds back finds it suspended again. */
function keepSuspended(cluster: Demo, written: JsonObject): void {
  const owner = { kind: 'Job', name: nameOf(written) } as const
  const job = ownerObjectOf(cluster, namespaceOf(written), owner)
  if (job !== undefined) keep(cluster, owner, withValue(job, ['spec', 'suspend'], true))
  followOwnerJob(cluster, written)
}

/** Kueue suspends the Job of a Workload that is no longer active, and lets it go on when it is again. */
function followKueue(cluster: Demo, workload: JsonObject): void {
  const active = valueIn(workload, 'spec', 'active') !== false
  const [reference] = listIn(workload, 'metadata', 'ownerReferences')
  const owner = { kind: 'Job', name: textIn(reference, 'name') } as const
  const job = ownerObjectOf(cluster, namespaceOf(workload), owner)
  if (job === undefined || !markActive(cluster, workload, active) || isSuspended(job) !== active) return
  keep(cluster, owner, withValue(job, ['spec', 'suspend'], !active))
  followOwnerJob(cluster, job)
}

/**
 * Kueue takes the admission from a Workload that is no longer active, and gives it back when it is again. False where
 * nothing changes: what was never admitted goes on waiting.
 */
function markActive(cluster: Demo, workload: JsonObject, active: boolean): boolean {
  const conditions = listIn(workload, 'status', 'conditions')
  const isAdmitted = valueIn(workload, 'status', 'admission') !== undefined
  const wasEvicted = conditions.some((each) => textIn(each, 'type') === 'Evicted' && textIn(each, 'status') === 'True')
  if (active ? !wasEvicted : !isAdmitted) return false
  const [set] = listIn(workload, 'spec', 'podSets')
  const status = active ? admissionFor(numberIn(set, 'count') ?? 1, cluster.now()) : evicted(cluster.now())
  const key = keyOf(textIn(workload, 'metadata', 'namespace'), textIn(workload, 'metadata', 'name'))
  putStatus(cluster, { kind: WORKLOAD, key }, status)
  refreshQueues(cluster)
  return true
}

function evicted(at: number): { conditions: readonly JsonObject[] } {
  const message = 'The workload is deactivated'
  const condition = (type: string, status: 'True' | 'False'): JsonObject =>
    conditionAt(at, { type, status, reason: 'Deactivated', message })
  return {
    conditions: [condition('QuotaReserved', 'False'), condition('Evicted', 'True'), condition('Admitted', 'False')],
  }
}
