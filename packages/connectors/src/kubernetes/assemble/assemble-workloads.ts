import {
  compareText,
  instant,
  type Instant,
  type PodTemplate,
  type QueueOwner,
  type Waiting,
  type Workload,
} from '@septet/domain'
import { type OwnedPod, isSameList } from './assemble-pods.ts'
import { sumRequests } from '../read/gpu-requests.ts'
import type { QueuedFacts } from '../read/queued-facts.ts'
import { joinedMarks } from '../read/work-marks.ts'
import { workloadClass } from '../read/workload-class.ts'

type Context = {
  readonly queued: readonly QueuedFacts[]
  /** `namespace/local queue` → cluster queue. */
  readonly clusterQueueOf: ReadonlyMap<string, string>
}

/** Workloads by id: the owners of the pods, and work that its queue holds back before it has pods. */
export function assembleWorkloads(pods: readonly OwnedPod[], context: Context): readonly Workload[] {
  const groups = Map.groupBy(pods, ({ pod }) => pod.workload)
  const queued = new Map(context.queued.flatMap((facts) => facts.ownerUids.map((uid) => [uid, facts] as const)))
  const queuedFor = (group: readonly OwnedPod[]): readonly QueuedFacts[] =>
    queued.size === 0
      ? []
      : group.flatMap(({ pod, chain }) => [pod.uid, ...chain.uids].flatMap((uid) => queued.get(uid) ?? []))
  const seen = new Set<QueuedFacts>()
  const withPods = [...groups.values()].map((group) => {
    const facts = queuedFor(group)
    facts.forEach((each) => seen.add(each))
    return fromPods(group, facts.find(({ waiting }) => waiting !== undefined) ?? facts[0], context)
  })
  const withoutPods = context.queued.filter(
    (facts) => !seen.has(facts) && facts.waiting !== undefined && facts.requests.length > 0,
  )
  return [...withPods, ...withoutPods.map((facts) => fromQueue(facts, context))].toSorted((a, b) =>
    compareText(a.id, b.id),
  )
}

/** The same object as before while none of its pods, nor what its queue says of it, has changed. */
function fromPods(group: readonly OwnedPod[], facts: QueuedFacts | undefined, context: Context): Workload {
  const [first] = group
  if (first === undefined) throw new Error('a workload has at least one pod')
  const queued = { facts, ...queueOf(first, facts, context) }
  const known = made.get(first)
  if (known !== undefined && isAsBefore(known, group, queued)) return known.workload
  const workload = workloadOf(first, group, queued)
  made.set(first, { group, facts, workload })
  return workload
}

type Made = {
  readonly group: readonly OwnedPod[]
  readonly facts: QueuedFacts | undefined
  readonly workload: Workload
}
const made = new WeakMap<OwnedPod, Made>()

const isAsBefore = (known: Made, group: readonly OwnedPod[], { facts, queue }: Queued): boolean =>
  known.facts === facts && known.workload.queue === queue && isSameList(known.group, group)

type InQueue = { readonly queue: string | undefined; readonly queueOwner?: QueueOwner }
type Queued = InQueue & { readonly facts: QueuedFacts | undefined }

function workloadOf(
  { pod, chain, labels }: OwnedPod,
  group: readonly OwnedPod[],
  { facts, ...inQueue }: Queued,
): Workload {
  const running = group.some(({ pod: each }) => each.node !== undefined)
  const starts = group.flatMap(({ pod: each }) => each.startedAt ?? [])
  return {
    id: pod.workload,
    namespace: pod.namespace,
    kind: chain.kind,
    name: chain.name,
    class: workloadClass(chain.kind, labels),
    ...inQueue,
    status: running ? 'running' : 'queued',
    requests: sumRequests(group.flatMap(({ pod: each }) => each.requests)),
    pods: group.map(({ pod: each }) => each.id),
    createdAt: chain.createdAt ?? earliest(group.map(({ pod: each }) => each.createdAt)) ?? pod.createdAt,
    startedAt: earliest(starts),
    waiting: running ? undefined : waitingOf(group, facts),
    templates: templatesOf(group),
    labels: sharedLabels(group.map((each) => each.labels)),
    marks: joinedMarks(group.map((each) => each.marks)),
  }
}

/** One for each part of the owner, of the first pod that it made. */
function templatesOf(group: readonly OwnedPod[]): readonly PodTemplate[] {
  const byPart = new Map<string, PodTemplate>()
  for (const { labels, containers } of group) {
    const part = partOf(labels)
    if (!byPart.has(part) && containers.length > 0) byPart.set(part, { part, containers })
  }
  return [...byPart.values()].toSorted((a, b) => compareText(a.part, b.part))
}

/** As operators label the pods that they make: KubeRay, Kubeflow's training operator, LeaderWorkerSet, KServe. */
function partOf(labels: Labels): string {
  const worker = labels['leaderworkerset.sigs.k8s.io/worker-index']
  if (worker !== undefined) return worker === '0' ? 'leader' : 'worker'
  return (
    labels['ray.io/group'] ??
    labels['training.kubeflow.org/replica-type'] ??
    (labels['serving.kserve.io/inferenceservice'] === undefined ? '' : (labels['component'] ?? ''))
  )
}

function fromQueue(facts: QueuedFacts, context: Context): Workload {
  const kind = facts.owner?.kind ?? 'Workload'
  const name = facts.owner?.name ?? facts.name
  return {
    id: `${facts.namespace}/${kind}/${name}`,
    namespace: facts.namespace,
    kind,
    name,
    class: workloadClass(kind, {}),
    ...queueIn(facts, context),
    status: 'queued',
    requests: facts.requests,
    pods: [],
    createdAt: facts.createdAt,
    startedAt: undefined,
    waiting: facts.waiting,
  }
}

const QUEUE_LABEL = 'kueue.x-k8s.io/queue-name'
/** Of KAI, before version 0.6 by its older name. */
const KAI_LABELS = ['kai.scheduler/queue', 'runai/queue']

/** Of its Workload or PodGroup, else as its labels name it. */
function queueOf({ pod, labels }: OwnedPod, facts: QueuedFacts | undefined, context: Context): InQueue {
  const found = queueIn(facts ?? { namespace: pod.namespace, localQueue: labels[QUEUE_LABEL] }, context)
  if (found.queue !== undefined) return found
  const queue = KAI_LABELS.map((label) => labels[label]).find((name) => name !== undefined && name !== '')
  return queue === undefined ? { queue } : { queue, queueOwner: 'KAI' }
}

const queueIn = (
  facts: Pick<QueuedFacts, 'namespace' | 'localQueue'> & Partial<Pick<QueuedFacts, 'clusterQueue' | 'queueOwner'>>,
  { clusterQueueOf }: Context,
): InQueue => ({
  queue: facts.clusterQueue ?? clusterQueueOf.get(`${facts.namespace}/${facts.localQueue ?? ''}`) ?? facts.localQueue,
  ...(facts.queueOwner === undefined ? {} : { queueOwner: facts.queueOwner }),
})

// A pod that its queue holds back says only that it is gated, or nothing; the queue itself says why. Of pods that start
// together, those that have a place wait for those that have none.
function waitingOf(group: readonly OwnedPod[], facts: QueuedFacts | undefined): Waiting | undefined {
  const waits = group.flatMap(({ pod }) => pod.waiting ?? [])
  return facts?.waiting ?? waits.find(({ reason }) => reason !== 'Schedulable') ?? waits[0]
}

/** Labels that are the same on all pods: what tells one pod from another, such as its index, is none of its workload's. */
function sharedLabels([first = {}, ...others]: readonly Labels[]): Labels {
  if (others.every((labels) => labels === first)) return first
  const shared = Object.entries(first).filter(([key, value]) => others.every((labels) => labels[key] === value))
  return Object.fromEntries(shared)
}
type Labels = OwnedPod['labels']

const earliest = (times: readonly Instant[]): Instant | undefined =>
  times.length === 0 ? undefined : instant(times.reduce((least, time) => Math.min(least, time), Infinity))
