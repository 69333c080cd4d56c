import { suffix, uuidOf } from '../../model/hash.ts'
import type { QueuedWork } from '../../model/queue.ts'
import { containerOf, imageOf } from '../../model/tenants.ts'
import { keyOf } from '../kube/store.ts'
import { NEW_POD, addPod, dropPod, putPod, type Demo, type LoneJob } from './cluster.ts'
import { endPod } from './controllers.ts'
import { forgetUnplaced } from './events.ts'
import { KEPT_MS, complete } from './finish.ts'
import { queueWork, unqueueWork } from './kueue.ts'
import { putOwner, referenceTo, removeOwner } from './owner-objects.ts'
import { keep, withJobStatus } from './owner-status.ts'
import { UNPLACED, type PodState } from './pod-object.ts'
import { queuedRules } from './pod-rules.ts'
import { isSuspended, ownerObjectOf } from './wishes.ts'
import { anew, controllerLabels } from './work-pods.ts'

/** New work comes that has to wait for a place: a Job held back by Kueue, or one of a single pod. */
export function submitLoneJobs(cluster: Demo, work: QueuedWork): void {
  const { namespace, role, createdAt } = work
  if (work.count > 1) {
    queueWork(cluster, work)
    return cluster.agenda.at(work.end, () => unqueueWork(cluster, work))
  }
  const owned = { namespace, role, createdAt, owner: ownerOf(work), above: undefined, replicas: 1 }
  putOwner(cluster, { ...owned, requests: requestsOf(work), labels: labelsOf(work) })
  const job: LoneJob = { work, pod: undefined }
  cluster.loneJobs.set(keyOf(namespace, work.name), job)
  makePod(cluster, job, firstPod(work))
  cluster.agenda.at(work.end, () => giveUp(cluster, job))
}

/** Makes the pod of a Job what the Job wants now. */
export function followJob(cluster: Demo, job: LoneJob): void {
  const { work } = job
  const object = ownerObjectOf(cluster, work.namespace, ownerOf(work))
  if (object === undefined || isSuspended(object)) {
    if (job.pod !== undefined) endPod(cluster, job.pod)
  } else if (job.pod === undefined) {
    makePod(cluster, job, anew(firstPod(work), { now: cluster.now(), version: cluster.store.version() }))
  }
  if (object !== undefined) {
    keep(cluster, ownerOf(work), withJobStatus(cluster, object, { pods: job.pod === undefined ? [] : [job.pod] }))
  }
}

const ownerOf = ({ name }: QueuedWork) => ({ kind: 'Job', name }) as const
const requestsOf = (work: QueuedWork) => ({ cpu: '8', memory: '48Gi', [work.resource]: String(work.count) })
const labelsOf = (work: QueuedWork) => ({
  'app.kubernetes.io/name': work.name,
  'app.kubernetes.io/component': work.role,
})

function makePod(cluster: Demo, job: LoneJob, state: PodState): void {
  job.pod = addPod(cluster, {
    ...NEW_POD,
    state,
    activity: job.work.activity,
    end: job.work.end,
    gone: () => {
      job.pod = undefined
      cluster.agenda.at(cluster.now(), () => followJob(cluster, job))
    },
  })
  putPod(cluster, job.pod)
}

const firstPod = (work: QueuedWork): PodState => ({
  namespace: work.namespace,
  name: `${work.name}-0-${suffix(work.seed, 5)}`,
  uid: uuidOf(work.seed),
  seed: work.seed,
  createdAt: work.createdAt,
  labels: { ...labelsOf(work), ...controllerLabels(ownerOf(work), 0) },
  owner: referenceTo(work.namespace, ownerOf(work)),
  container: containerOf(work.role),
  image: imageOf(work.role),
  requests: requestsOf(work),
  rules: queuedRules(work.role, work.selector),
  restart: 'Never',
  phase: 'waiting',
  ...UNPLACED,
})

/**
 * Anyone who waited for nothing cancels; whoever got a place works on for a while and is done; what is suspended stays.
 */
function giveUp(cluster: Demo, job: LoneJob): void {
  const { pod } = job
  if (pod === undefined) return
  forgetUnplaced(pod)
  if (pod.state.phase === 'waiting') return leave(cluster, job)
  cluster.agenda.at(cluster.now() + 3 * KEPT_MS, () => {
    if (job.pod?.state.phase === 'running') complete(cluster, job.pod, false)
    followJob(cluster, job)
    cluster.agenda.at(cluster.now() + KEPT_MS, () => leave(cluster, job))
  })
}

function leave(cluster: Demo, job: LoneJob): void {
  const { work } = job
  if (job.pod !== undefined) dropPod(cluster, job.pod)
  cluster.loneJobs.delete(keyOf(work.namespace, work.name))
  removeOwner(cluster, work.namespace, ownerOf(work))
}
