import type { Occupancy, Owner } from '../../model/timeline.ts'
import { listIn, numberIn, same, textIn, valueIn, withValue, type Json, type JsonObject } from '../kube/json.ts'
import { kindNamed } from '../kube/kinds.ts'
import { keyOf } from '../kube/store.ts'
import { kubeTime, withGeneration } from '../kube/write.ts'
import type { Demo, LivePod } from './cluster.ts'
import { isSuspended, leadOf, ownerObjectOf, replicaSetsOf, type WorkWish } from './wishes.ts'
import { isLeaving, podsOfWork } from './work-pods.ts'

/** Writes what the objects above a workload's pods have to say of them now. */
export function refreshOwners(cluster: Demo, occupancy: Occupancy, wish: WorkWish): void {
  const { namespace, owners } = occupancy
  const lead = leadOf(owners)
  const object = lead === undefined ? undefined : ownerObjectOf(cluster, namespace, lead)
  if (lead === undefined || object === undefined) return
  const pods = podsOfWork(cluster, occupancy)
  if (lead.kind === 'Job') return keep(cluster, lead, withJobStatus(cluster, object, { pods }))
  const staying = pods.filter((pod) => !isLeaving(pod))
  if (lead.kind === 'Deployment') refreshReplicaSets(cluster, object, { staying, wish })
  const updated = staying.filter((pod) => isUpToDate(pod, wish))
  keep(cluster, lead, withStatus(object, COUNTS[lead.kind]?.(staying, updated) ?? {}))
}

/** Whether a pod was made from what is wanted now. */
export const isUpToDate = ({ state }: LivePod, { controller, requests, nodeSelector }: WorkWish): boolean =>
  state.owner?.name === controller.name &&
  same(state.requests, requests) &&
  (nodeSelector === undefined || same(state.rules.nodeSelector, nodeSelector))

const isRunning = ({ state }: LivePod): boolean => state.phase === 'running'

/** The API leaves zeros out of most of these. */
const counted = (counts: Readonly<Record<string, number>>): JsonObject =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))

type Count = (staying: readonly LivePod[], updated: readonly LivePod[]) => JsonObject
const readyOf = (staying: readonly LivePod[]): Record<string, number> => {
  const ready = staying.filter(isRunning).length
  return { readyReplicas: ready, availableReplicas: ready }
}
const ofReplicaSet: Count = (staying) => ({ replicas: staying.length, ...counted(readyOf(staying)) })
const COUNTS: Partial<Record<Owner['kind'], Count>> = {
  Deployment: (staying, updated) => ({
    ...counted({ replicas: staying.length, updatedReplicas: updated.length, ...readyOf(staying) }),
    ...counted({ unavailableReplicas: staying.length - staying.filter(isRunning).length }),
  }),
  StatefulSet: (staying, updated) => ({
    ...ofReplicaSet(staying, updated),
    ...counted({ currentReplicas: staying.length, updatedReplicas: updated.length }),
  }),
}

/** A Deployment's controller shares its number out: old ReplicaSets keep what they still have, the new one gets the rest. */
function refreshReplicaSets(
  cluster: Demo,
  deployment: JsonObject,
  { staying, wish }: { staying: readonly LivePod[]; wish: WorkWish },
): void {
  const old = staying.filter((pod) => pod.state.owner?.name !== wish.controller.name)
  for (const each of replicaSetsOf(cluster, deployment)) {
    const name = textIn(each, 'metadata', 'name')
    const mine = staying.filter((pod) => pod.state.owner?.name === name)
    const replicas = name === wish.controller.name ? Math.max(0, wish.count - old.length) : mine.length
    const scaled = withGeneration(each, withValue(each, ['spec', 'replicas'], replicas))
    keep(cluster, { kind: 'ReplicaSet', name }, withStatus(scaled, ofReplicaSet(mine, mine)))
  }
}

const withStatus = (object: JsonObject, status: JsonObject): JsonObject => ({
  ...object,
  status: { observedGeneration: numberIn(object, 'metadata', 'generation') ?? 1, ...status },
})

/** A Job as its controller tells of it; one that is over without a pod that ended well has failed. */
export function withJobStatus(
  cluster: Demo,
  job: JsonObject,
  { pods, isOver = false }: { pods: readonly LivePod[]; isOver?: boolean },
): JsonObject {
  const of = (phase: string): number => pods.filter(({ state }) => state.phase === phase).length
  const [succeeded, failed] = [of('succeeded'), of('failed')]
  const active = pods.filter((pod) => pod.state.endedAt === undefined && !isLeaving(pod))
  const ready = active.filter(isRunning).length
  const { startTime } = { startTime: valueIn(job, 'status', 'startTime'), ...started(cluster, job) }
  const ends = isOver || (active.length === 0 && succeeded + failed > 0)
  const conditions = jobConditions(cluster, job, { ends, fails: failed > 0 || succeeded === 0 })
  const numbers = counted({ active: active.length, ready, succeeded, failed })
  const status = { ...numbers, startTime, ...(conditions.length === 0 ? {} : { conditions }) }
  return { ...job, status }
}

/** A suspended Job has not begun; one that goes on begins again. */
function started(cluster: Demo, job: JsonObject): { startTime?: Json | undefined } {
  if (isSuspended(job)) return { startTime: undefined }
  return valueIn(job, 'status', 'startTime') === undefined ? { startTime: kubeTime(cluster.now()) } : {}
}

function jobConditions(
  cluster: Demo,
  job: JsonObject,
  { ends, fails }: { ends: boolean; fails: boolean },
): readonly Json[] {
  const before = listIn(job, 'status', 'conditions')
  const was = before.find((each) => textIn(each, 'type') === 'Suspended')
  const found: Json[] = []
  if (isSuspended(job) || was !== undefined) found.push(suspension(cluster, isSuspended(job), was))
  if (ends) found.push(ending(cluster, fails, before))
  return found
}

function suspension(cluster: Demo, suspended: boolean, was: Json | undefined): Json {
  const status = suspended ? 'True' : 'False'
  if (was !== undefined && textIn(was, 'status') === status) return was
  const [reason, message] = suspended ? ['JobSuspended', 'Job suspended'] : ['JobResumed', 'Job resumed']
  return { type: 'Suspended', status, reason, message, lastTransitionTime: kubeTime(cluster.now()) }
}

function ending(cluster: Demo, failed: boolean, before: readonly Json[]): Json {
  const type = failed ? 'Failed' : 'Complete'
  const known = before.find((each) => textIn(each, 'type') === type)
  return known ?? { type, status: 'True', lastTransitionTime: kubeTime(cluster.now()) }
}

/** Written only where it has changed. */
export function keep(cluster: Demo, { kind, name }: Owner, object: JsonObject): void {
  const key = keyOf(textIn(object, 'metadata', 'namespace'), name)
  const served = kindNamed(kind)
  const before = cluster.store.get(served, key)?.read()
  if (before !== undefined && !same(before, object)) cluster.store.put(served, key, () => object)
}
