import { onceFor, WHOLE_GPU_RESOURCE as GPU } from '@septet/domain'
import { mix, seedOf, uuidOf } from '../../model/hash.ts'
import type { QueuedWork } from '../../model/queue.ts'
import type { Occupancy } from '../../model/timeline.ts'
import { listIn, numberIn, objectAt, textIn, valueIn, type Json, type JsonObject } from '../kube/json.ts'
import { kindNamed } from '../kube/kinds.ts'
import { keyOf, type Entry } from '../kube/store.ts'
import { conditionAt } from '../kube/write.ts'
import { putStatus, type Demo } from './cluster.ts'
import { say, sayAgain, type Repeated } from './events.ts'
import { putOwner, referenceTo, removeOwner } from './owner-objects.ts'
import { objectOf, putObject } from './put-object.ts'

export const WORKLOAD = kindNamed('Workload')
const QUEUE = 'gpu-batch'
const API_VERSION = 'kueue.x-k8s.io/v1beta2'
const QUEUED_NAMESPACES = ['ml-platform', 'research-language'] as const
const isQueuedNamespace = (name: string): boolean => QUEUED_NAMESPACES.some((queued) => queued === name)

/** Whether a workload went through Kueue: training of two teams does. */
export const isQueued = ({ slot, namespace }: Occupancy): boolean =>
  slot.role === 'training' && isQueuedNamespace(namespace)

/** The queue set-up: a flavor, cluster queues, and a local queue for each in each team's namespace. */
export function putQueues(cluster: Demo): void {
  putObject(cluster, 'ResourceFlavor', [{ name: FLAVOR, ...MADE }, { spec: {} }])
  putQueue(cluster, QUEUE, quotaFor(reservedGpus(cluster)))
  putQueue(cluster, SPARE_QUEUE, 16)
  refreshQueues(cluster)
}

/** A little above what is in use, so that the work that waits has to wait. */
const quotaFor = (reserved: number): number => Math.ceil((reserved + 1) / 8) * 8

function putQueue(cluster: Demo, queue: string, quota: number): void {
  const flavor = { name: FLAVOR, resources: [{ name: GPU, nominalQuota: String(quota) }] }
  const resourceGroups = [{ coveredResources: [GPU], flavors: [flavor] }]
  const spec = { queueingStrategy: 'BestEffortFIFO', namespaceSelector: {}, resourceGroups }
  putObject(cluster, 'ClusterQueue', [{ name: queue, ...MADE }, { spec }])
  for (const namespace of QUEUED_NAMESPACES)
    putObject(cluster, 'LocalQueue', [{ name: queue, namespace, ...MADE }, { spec: { clusterQueue: queue } }])
}

/** Kueue's controller counts what waits and what runs, and writes it where it has changed. */
export function refreshQueues(cluster: Demo): void {
  const reserved = reservedGpus(cluster)
  for (const { key } of cluster.store.list(CLUSTER_QUEUE)) {
    const used = reservation(key === QUEUE ? reserved : 0)
    putStatus(cluster, { kind: CLUSTER_QUEUE, key }, { ...statusOf(cluster, key, ''), ...used })
  }
  for (const { key } of cluster.store.list(LOCAL_QUEUE)) {
    const [namespace = '', queue = ''] = key.split('/')
    putStatus(cluster, { kind: LOCAL_QUEUE, key }, statusOf(cluster, queue, `${namespace}/`))
  }
  // What waits for quota is told how much more it needs now.
  const unused = unusedQuota(cluster)
  for (const entry of cluster.store.list(WORKLOAD)) {
    const each = entry.read()
    const conditions = listIn(each, 'status', 'conditions')
    if (!conditions.some((condition) => textIn(condition, 'reason') === WAITING)) continue
    const message = quotaMessage(gpusAskedBy(each), unused)
    const status = { conditions: conditions.map((condition) => ({ ...objectAt(condition), message })) }
    putStatus(cluster, { kind: WORKLOAD, key: entry.key }, status)
  }
}

const WAITING = 'WaitingForQuota'

/** As Kueue's flavor assigner says it. */
function quotaMessage(asked: number, unused: number): string {
  // The demo admits none of it, whatever is unused.
  const needed = Math.max(1, asked - unused)
  return `couldn't assign flavors to pod set main: insufficient unused quota for ${GPU} in flavor ${FLAVOR}, ${needed} more needed`
}

/** By the quota as it is set now, or will be when the queues are there. */
function unusedQuota(cluster: Demo): number {
  const reserved = reservedGpus(cluster)
  const [group] = listIn(cluster.store.get(CLUSTER_QUEUE, QUEUE)?.read(), 'spec', 'resourceGroups')
  const [flavor] = listIn(group, 'flavors')
  const [resource] = listIn(flavor, 'resources')
  return (resource === undefined ? quotaFor(reserved) : Number(textIn(resource, 'nominalQuota'))) - reserved
}

const FLAVOR = 'whole-gpu'
/** Has room that the work waiting in the other may not use. */
const SPARE_QUEUE = 'gpu-research'
const CLUSTER_QUEUE = kindNamed('ClusterQueue')
const LOCAL_QUEUE = kindNamed('LocalQueue')

/** GPUs of admitted work. */
const reservedGpus = (cluster: Demo): number =>
  cluster.store.list(WORKLOAD).reduce((sum, entry) => sum + reservedBy(entry), 0)

/** Each is read once: all are counted anew for each that comes. */
const reservedBy = onceFor((entry: Entry): number => {
  const each = entry.read()
  return isAdmitted(each) ? gpusAskedBy(each) : 0
})

const gpusAskedBy = (each: JsonObject): number =>
  listIn(each, 'spec', 'podSets').reduce((sum: number, set) => sum + (numberIn(set, 'count') ?? 0) * gpusOf(set), 0)

const isAdmitted = (each: JsonObject): boolean => valueIn(each, 'status', 'admission') !== undefined

const gpusOf = (podSet: Json): number =>
  listIn(podSet, 'template', 'spec', 'containers').reduce(
    (sum: number, container) => sum + Number(textIn(container, 'resources', 'requests', GPU)),
    0,
  )

function reservation(used: number): JsonObject {
  const flavors = [{ name: FLAVOR, resources: [{ name: GPU, total: String(used), borrowed: '0' }] }]
  return { flavorsReservation: flavors, flavorsUsage: flavors }
}

const CREATED = Date.UTC(2025, 5, 2, 9)

const MADE = { createdAt: CREATED, metadata: { generation: 1 } }

function statusOf(cluster: Demo, queue: string, prefix: string): JsonObject {
  // All work of the demo queues in the first.
  const all = queue === QUEUE ? cluster.store.list(WORKLOAD) : []
  const mine = all.filter(({ key }) => key.startsWith(prefix))
  const admitted = mine.filter((entry) => isAdmitted(entry.read())).length
  return {
    pendingWorkloads: mine.length - admitted,
    reservingWorkloads: admitted,
    admittedWorkloads: admitted,
    conditions: [
      conditionAt(CREATED, { type: 'Active', status: 'True', reason: 'Ready', message: 'Can admit new workloads' }),
    ],
  }
}

/** A Workload as Kueue makes it for a Job. */
function workload(of: {
  namespace: string
  job: string
  name: string
  createdAt: number
  count: number
  requests: Readonly<Record<string, string>>
  conditions: readonly JsonObject[]
  admission: JsonObject | undefined
  selector?: QueuedWork['selector']
}): JsonObject {
  const reference = { ...referenceTo(of.namespace, { kind: 'Job', name: of.job }), controller: true }
  const metadata = { uid: uidOf(of.namespace, of.name), generation: 1, ownerReferences: [reference] }
  const named = { name: of.name, namespace: of.namespace, createdAt: of.createdAt, metadata }
  return objectOf('Workload', named, {
    spec: {
      active: true,
      queueName: QUEUE,
      priority: 0,
      podSets: [
        {
          name: 'main',
          count: of.count,
          template: {
            spec: {
              containers: [{ name: 'trainer', resources: { requests: of.requests, limits: of.requests } }],
              ...(of.selector === undefined ? {} : { nodeSelector: of.selector }),
            },
          },
        },
      ],
    },
    status: { conditions: of.conditions, ...(of.admission === undefined ? {} : { admission: of.admission }) },
  })
}

/** How a Workload says that it may run. */
export function admissionFor(
  count: number,
  since: number,
): { conditions: readonly JsonObject[]; admission: JsonObject } {
  const condition = (type: string, message: string): JsonObject =>
    conditionAt(since, { type, status: 'True', reason: type, message })
  return {
    conditions: [
      condition('QuotaReserved', `Quota reserved in ClusterQueue ${QUEUE}`),
      condition('Admitted', 'The workload is admitted'),
    ],
    admission: { clusterQueue: QUEUE, podSetAssignments: [{ name: 'main', count, flavors: { [GPU]: FLAVOR } }] },
  }
}

const jobOf = (occupancy: Occupancy): string => occupancy.owners.at(-1)?.name ?? ''
const nameOf = (occupancy: Occupancy): string => `job-${jobOf(occupancy)}-admitted`

export function admitToQueue(cluster: Demo, occupancy: Occupancy, requests: Readonly<Record<string, string>>): void {
  const { namespace, createdAt, slot } = occupancy
  const count = slot.seats.length
  const { conditions, admission } = admissionFor(count, createdAt)
  const name = nameOf(occupancy)
  cluster.store.put(WORKLOAD, keyOf(namespace, name), () =>
    workload({ namespace, job: jobOf(occupancy), name, createdAt, count, requests, conditions, admission }),
  )
  const about = aboutWorkload(namespace, name)
  const told = (reason: string, message: string): void => say(cluster, about, { reason, message, component: ADMISSION })
  told('QuotaReserved', `Quota reserved in ClusterQueue ${QUEUE}, wait time since queued was 1s`)
  told('Admitted', `Admitted by ClusterQueue ${QUEUE}, wait time since reservation was 0s`)
}

const ADMISSION = 'kueue-admission'
const aboutWorkload = (namespace: string, name: string) => ({
  apiVersion: API_VERSION,
  kind: 'Workload',
  namespace,
  name,
  uid: uidOf(namespace, name),
})
const uidOf = (namespace: string, name: string): string => uuidOf(mix(seedOf(`${namespace}/${name}`), 2))

export function leaveQueue(cluster: Demo, occupancy: Occupancy): void {
  if (isQueued(occupancy)) cluster.store.remove(WORKLOAD, keyOf(occupancy.namespace, nameOf(occupancy)))
}

const queuedNamespace = (work: QueuedWork): string => QUEUED_NAMESPACES[work.seed % 2] ?? QUEUED_NAMESPACES[0]

/** Work that Kueue holds back: a suspended Job, no pods yet. */
export function queueWork(cluster: Demo, work: QueuedWork): void {
  const namespace = queuedNamespace(work)
  const owner = { kind: 'Job', name: work.name } as const
  const count = 2
  const requests = { cpu: '64', memory: '512Gi', [work.resource]: String(work.count) }
  const labels = {
    'app.kubernetes.io/name': work.name,
    'app.kubernetes.io/component': work.role,
    'kueue.x-k8s.io/queue-name': QUEUE,
  }
  const { role, createdAt } = work
  const owned = { namespace, owner, above: undefined, role, replicas: count, requests, createdAt, labels }
  putOwner(cluster, { ...owned, suspended: true })
  const name = `job-${work.name}`
  const asked = { namespace, createdAt, requests }
  const messageNow = (): string => quotaMessage(count * work.count, unusedQuota(cluster))
  const waits = { type: 'QuotaReserved', status: 'False', reason: WAITING, message: messageNow() }
  const conditions = [conditionAt(work.createdAt, waits)]
  cluster.store.put(WORKLOAD, keyOf(namespace, name), () =>
    workload({ ...asked, job: work.name, name, count, conditions, admission: undefined, selector: work.selector }),
  )
  const said = {
    reason: 'Pending',
    // Each time as it is then.
    get message() {
      return messageNow()
    },
    component: ADMISSION,
    type: 'Warning',
    since: work.createdAt,
  } as const
  pending.set(work, sayAgain(cluster, aboutWorkload(namespace, name), said))
}

/** What is said of work that is held back. */
const pending = new WeakMap<QueuedWork, Repeated>()

export function unqueueWork(cluster: Demo, work: QueuedWork): void {
  const namespace = queuedNamespace(work)
  removeOwner(cluster, namespace, { kind: 'Job', name: work.name })
  cluster.store.remove(WORKLOAD, keyOf(namespace, `job-${work.name}`))
  const reported = pending.get(work)
  if (reported !== undefined) reported.goesOn = false
}
