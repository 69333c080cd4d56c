import type { Queue } from '../../cluster/inventory.ts'
import { askedWords, countedBy, quotaName } from '../../cluster/quota-limits.ts'
import type { Quota, QuotaFlavor, Toleration } from '../../cluster/scheduling.ts'
import type { GpuRequest } from '../../cluster/workload.ts'
import { cohortRoom, type Promises } from '../explain/cohort-room.ts'
import { unknownClass } from './priority-class.ts'
import { tightQuotas } from '../explain/tight-quotas.ts'
import type { AskedJob, AskedPods } from './asked-job.ts'
import type { CountedFleet } from '../../fleet/counted-fleet.ts'

/** What quotas and queues say of a job before the scheduler sees it. */
export type JobLimits = {
  /** Why the API server refuses its pods, ResourceQuotas of its namespace hold it back, and Kueue does; all empty: nothing does. */
  readonly refused: readonly string[]
  readonly ofNamespace: readonly string[]
  readonly ofQueue: readonly string[]
  readonly unknown: readonly string[]
  /** How many of each group's pods the API server makes. */
  readonly allowed: readonly number[]
  /** The quotas that hold it back. */
  readonly tight: readonly Quota[]
  /** Labels of nodes that its flavor adds to what its pods ask for. */
  readonly nodeLabels: Readonly<Record<string, string>>
  /** The same of tolerations. */
  readonly tolerations: readonly Toleration[]
}

/** Whether ResourceQuotas and Kueue let a job in. */
export function jobLimits(fleet: CountedFleet, job: AskedJob): JobLimits {
  if (job.isSubmitted === true) return { ...LET_IN, allowed: job.groups.map(({ count }) => count) }
  const namespace = namespaceLimits(fleet, job)
  const queue = job.queue === undefined ? schedulerLimits(fleet, job) : queueLimits(fleet, job, job.queue)
  const gone = missingNamespace(fleet, job)
  const refusals = job.groups.map((pods) => gone ?? unknownClass(fleet.snapshot.priorityClasses, pods))
  return {
    refused: [...new Set(refusals.flatMap((because) => because ?? []))],
    ofNamespace: namespace.because,
    ofQueue: queue.because,
    unknown: [...namespace.unknown, ...queue.unknown],
    allowed: namespace.allowed.map((count, at) => (refusals[at] === undefined ? count : 0)),
    tight: [...namespace.tight, ...queue.tight],
    nodeLabels: queue.nodeLabels,
    tolerations: queue.tolerations,
  }
}

/** Why the API server takes nothing of the job, as its namespace is not there; undefined where it may be. */
const missingNamespace = ({ snapshot }: CountedFleet, { namespace, makesNamespace }: AskedJob): string | undefined =>
  makesNamespace === true || (snapshot.namespaces ?? [namespace]).includes(namespace)
    ? undefined
    : `there is no namespace ${namespace}, so the API server refuses it; create the namespace first, or name another`

const LET_IN = { refused: [], ofNamespace: [], ofQueue: [], unknown: [], tight: [], nodeLabels: {}, tolerations: [] }
const NO_LIMITS = { because: [], unknown: [], tight: [], nodeLabels: {}, tolerations: [] }

type Limits = Pick<JobLimits, 'unknown' | 'tight'> & { readonly because: readonly string[] }

function namespaceLimits({ snapshot }: CountedFleet, job: AskedJob): Limits & Pick<JobLimits, 'allowed'> {
  const found = snapshot.quotas.filter(({ queue, namespace }) => queue === undefined && namespace === job.namespace)
  const own = found.filter(({ scoped }) => scoped === undefined)
  const sums = sumOf(job.groups, countedIn)
  const isTight = ({ resource, hard, used }: Quota): boolean => (sums.get(resource) ?? 0) > Math.max(0, hard - used)
  const tight = own.filter(isTight)
  const because = tight.map(
    ({ id, resource, hard, used }) =>
      `the ResourceQuota ${nameOf(id)} has ${amountText(resource, Math.max(0, hard - used))} of ${amountText(resource, hard)} ${resource} left, and ${amountText(resource, sums.get(resource) ?? 0)} are asked for`,
  )
  const unknown = found.flatMap((quota) => openWords(quota, job.groups, isTight(quota)))
  return { because, unknown: [...new Set(unknown)], allowed: allowedBy(own, job.groups), tight }
}

/** What a quota leaves open, in words. */
function openWords({ id, resource, scoped }: Quota, groups: readonly AskedPods[], isTight: boolean): readonly string[] {
  if (scoped === true && isTight)
    return [`which pods the ResourceQuota ${nameOf(id)} counts depends on its scopes, which are not judged`]
  if (resource.startsWith('limits.'))
    return [`the ResourceQuota ${nameOf(id)} counts limits of CPU or memory, which are not judged`]
  // Without a LimitRange that fills it in, the API server refuses such pods.
  return groups.some(({ unsaid }) => unsaid.some((name) => name === resource))
    ? [
        `the ResourceQuota ${nameOf(id)} takes only containers that request ${resource}, and whether a LimitRange fills that in is not read`,
      ]
    : []
}

/** How many of each group's pods quotas let be made, one group after the other. */
function allowedBy(own: readonly Quota[], groups: readonly AskedPods[]): readonly number[] {
  const left = new Map<string, number>()
  for (const { resource, hard, used } of own) left.set(resource, Math.min(left.get(resource) ?? Infinity, hard - used))
  return groups.map((pods) => {
    const { count } = pods
    const requests = countedIn(pods)
    const most = requests.reduce((least, { resource, count: each }) => {
      const room = left.get(resource)
      return room === undefined ? least : Math.min(least, Math.max(0, Math.floor(room / each)))
    }, count)
    for (const { resource, count: each } of requests) {
      const room = left.get(resource)
      if (room !== undefined) left.set(resource, room - most * each)
    }
    return most
  })
}

const nameOf = (quota: string): string => quota.split('/').slice(0, 2).join('/')

/** What a ResourceQuota counts of one pod. */
const countedIn = ({ requests, scheduling }: AskedPods): readonly GpuRequest[] =>
  [
    ...requests,
    { resource: 'cpu', count: scheduling.cpuMilli / 1000 },
    { resource: 'memory', count: scheduling.memory * 1024 ** 2 },
    { resource: 'pods', count: 1 },
  ].filter(({ count }) => count > 0)

const amountText = (resource: string, amount: number): string =>
  resource === 'memory' ? `${Number((amount / 1024 ** 3).toFixed(1))} GiB` : String(amount)

type QueueLimits = Limits & Pick<JobLimits, 'nodeLabels' | 'tolerations'>

function queueLimits({ snapshot }: CountedFleet, job: AskedJob, local: string): QueueLimits {
  const queue = queueOf(snapshot.queues, `${job.namespace}/${local}`)
  if (queue === undefined) return missingQueue(snapshot.queues, job, local)
  const sums = [...sumOf(job.groups, ({ requests, claims }) => [...requests, ...claims])]
  const found = sums.map(([resource, asked]) => flavorFor(snapshot, { queue, resource, asked }))
  const others = otherLimits(queue, job)
  const ahead = queue.strict === true && queue.pendingWorkloads > 0
  const because = [
    ...found.flatMap((each) => each.because ?? []),
    ...others,
    ...(ahead ? [`the cluster queue ${queue.name} starts work in order, and other work waits in it`] : []),
  ]
  const unread = queue.unread ?? []
  return {
    because,
    unknown: [...unread, ...found.flatMap((each) => each.unknown ?? [])],
    tight: found.flatMap((each) => each.tight ?? []),
    nodeLabels: Object.assign({}, ...found.map((each) => each.nodeLabels ?? {})),
    tolerations: found.flatMap((each) => each.tolerations ?? []),
  }
}

/** The cluster queue behind a local queue, `namespace/name`. */
export const queueOf = (queues: readonly Queue[], local: string): Queue | undefined =>
  queues.find(({ localQueues }) => localQueues?.includes(local))

function missingQueue(queues: readonly Queue[], { namespace }: AskedJob, local: string): QueueLimits {
  const areRead = queues.some(({ localQueues }) => localQueues !== undefined)
  return areRead
    ? { ...NO_LIMITS, because: [`there is no local queue ${local} in the namespace ${namespace}`] }
    : { ...NO_LIMITS, unknown: ['Septet does not read the queues of Kueue in this cluster'] }
}

/** A queue of another scheduler: what it leaves, and not what that scheduler would do to make room in it. */
function schedulerLimits({ snapshot }: CountedFleet, { namespace, groups, schedulerQueue }: AskedJob): QueueLimits {
  if (schedulerQueue === undefined) return NO_LIMITS
  const { owner: queueOwner, name: queue } = schedulerQueue
  const requests = [...sumOf(groups, (pods) => pods.requests)].map(([resource, count]) =>
    countedBy(queueOwner, { resource, count }),
  )
  const tight = tightQuotas(snapshot, { namespace, queue, queueOwner, requests }).filter(
    ({ quota }) => quota.queue !== undefined,
  )
  const because = tight.map(
    ({ quota, asked, room }) =>
      `${quotaName(quota)} has ${Math.max(0, room.available)} ${quota.resource} left, and ${askedWords(asked)} asked for`,
  )
  return { ...NO_LIMITS, because, tight: tight.map(({ quota }) => quota) }
}

type Flavored = {
  readonly because?: string
  readonly unknown?: string
  readonly tight?: Quota
  readonly nodeLabels?: Readonly<Record<string, string>>
  readonly tolerations?: readonly Toleration[]
}

type Wanted = { readonly queue: Queue; readonly resource: string; readonly asked: number }

/** What the flavors of a queue have for so many devices. Kueue takes them all from one flavor. */
function flavorFor(promises: Promises, { queue, resource, asked }: Wanted): Flavored {
  const isAsked = (one: Quota): boolean => one.queue === queue.name && one.resource === resource
  const quota = promises.quotas.find((one) => one.queueOwner === undefined && isAsked(one))
  if (quota === undefined)
    return { because: `the cluster queue ${queue.name} has no quota for ${resource}, so Kueue does not let it in` }
  const { flavors = [] } = quota
  const [flavor, ...more] = flavors
  const { available } = cohortRoom(quota, promises)
  if (asked > available && queue.mayPreempt === true)
    return { unknown: `Kueue may evict other work of the cluster queue ${queue.name} for it`, tight: quota }
  if (asked > available) {
    const borrow = quota.cohort === undefined ? '' : ', with what its cohort lends'
    return {
      because: `the cluster queue ${queue.name} has ${Math.max(0, available)} ${resource} left${borrow}, and ${asked} are asked for`,
      tight: quota,
    }
  }
  if (flavor === undefined || more.length > 0)
    return { unknown: `Kueue chooses between ${flavors.length} flavors of the cluster queue ${queue.name}` }
  return nodesOf(flavor)
}

/** Where Kueue sends work of a flavor, as far as that is told. */
function nodesOf({ name, nodeLabels, tolerations = [], chosenBy }: QuotaFlavor): Flavored {
  if (nodeLabels === undefined)
    return { unknown: `Septet could not read which nodes the flavor ${name} of Kueue stands for` }
  const placed = { nodeLabels, tolerations }
  return chosenBy === undefined
    ? placed
    : { ...placed, unknown: `Kueue gives work of the flavor ${name} nodes by ${chosenBy}, which is not judged` }
}

/** CPU, memory and pods, where the queue limits them too. */
function otherLimits({ name, left }: Queue, { groups }: AskedJob): readonly string[] {
  const sum = (of: (pods: AskedPods) => number): number => groups.reduce((all, pods) => all + pods.count * of(pods), 0)
  const asked = {
    cpu: sum(({ scheduling }) => scheduling.cpuMilli) / 1000,
    memory: sum(({ scheduling }) => scheduling.memory) * 1024 ** 2,
    pods: sum(() => 1),
  }
  return (['cpu', 'memory', 'pods'] as const)
    .filter((resource) => asked[resource] > (left?.[resource] ?? Infinity))
    .map((resource) => `the cluster queue ${name} has less ${resource} left than is asked for`)
}

/** What all pods of some groups ask for, by resource. */
function sumOf(
  groups: readonly AskedPods[],
  listOf: (pods: AskedPods) => readonly GpuRequest[],
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const pods of groups)
    for (const { resource, count } of listOf(pods)) sums.set(resource, (sums.get(resource) ?? 0) + count * pods.count)
  return sums
}

/** Whether anything holds the job back before the scheduler sees it. */
export const isHeldBack = ({ refused, ofNamespace, ofQueue }: JobLimits): boolean =>
  refused.length + ofNamespace.length + ofQueue.length > 0
