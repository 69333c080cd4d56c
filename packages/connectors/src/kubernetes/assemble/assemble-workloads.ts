import { compareText, instant, type Instant, type PodTemplate, type Waiting, type Workload } from '@septet/domain'
import type { OwnedPod } from './assemble-pods.ts'
import { sumRequests } from '../read/gpu-requests.ts'
import { isSameList } from './is-same-list.ts'
import type { KueueFacts } from '../read/parse-kueue.ts'
import { workloadClass } from '../read/workload-class.ts'

type Context = {
  readonly kueue: readonly KueueFacts[]
  /** `namespace/local queue` → cluster queue. */
  readonly clusterQueueOf: ReadonlyMap<string, string>
}

/** Workloads by id: the owners of the pods, and work that Kueue holds back before it has pods. */
export function assembleWorkloads(pods: readonly OwnedPod[], context: Context): readonly Workload[] {
  const groups = Map.groupBy(pods, ({ pod }) => pod.workload)
  const queued = new Map(context.kueue.flatMap((facts) => facts.ownerUids.map((uid) => [uid, facts] as const)))
  const kueueOf = (group: readonly OwnedPod[]): readonly KueueFacts[] =>
    queued.size === 0
      ? []
      : group.flatMap(({ pod, chain }) => [pod.uid, ...chain.uids].flatMap((uid) => queued.get(uid) ?? []))
  const seen = new Set<KueueFacts>()
  const withPods = [...groups.values()].map((group) => {
    const kueue = kueueOf(group)
    kueue.forEach((facts) => seen.add(facts))
    return fromPods(group, kueue.find(({ waiting }) => waiting !== undefined) ?? kueue[0], context)
  })
  const withoutPods = context.kueue.filter((facts) => !seen.has(facts) && facts.waiting !== undefined)
  return [...withPods, ...withoutPods.map((facts) => fromKueue(facts, context))].toSorted((a, b) =>
    compareText(a.id, b.id),
  )
}

/** The same object as before while none of its pods, nor what Kueue says of it, has changed. */
function fromPods(group: readonly OwnedPod[], kueue: KueueFacts | undefined, context: Context): Workload {
  const [first] = group
  if (first === undefined) throw new Error('a workload has at least one pod')
  const { pod, labels } = first
  const named = { namespace: pod.namespace, localQueue: labels[QUEUE_LABEL] }
  const queue = queueOf(kueue ?? named, context) ?? OTHER_QUEUE_LABELS.map((label) => labels[label]).find(isSaid)
  const known = made.get(first)
  if (known !== undefined && isAsBefore(known, group, { kueue, queue })) return known.workload
  const workload = workloadOf(first, group, { kueue, queue })
  made.set(first, { group, kueue, workload })
  return workload
}

type Made = {
  readonly group: readonly OwnedPod[]
  readonly kueue: KueueFacts | undefined
  readonly workload: Workload
}
const made = new WeakMap<OwnedPod, Made>()

const isAsBefore = (known: Made, group: readonly OwnedPod[], { kueue, queue }: Queued): boolean =>
  known.kueue === kueue && known.workload.queue === queue && isSameList(known.group, group)

type Queued = { readonly kueue: KueueFacts | undefined; readonly queue: string | undefined }

function workloadOf({ pod, chain, labels }: OwnedPod, group: readonly OwnedPod[], { kueue, queue }: Queued): Workload {
  const running = group.some(({ pod: each }) => each.node !== undefined)
  const starts = group.flatMap(({ pod: each }) => each.startedAt ?? [])
  return {
    id: pod.workload,
    namespace: pod.namespace,
    kind: chain.kind,
    name: chain.name,
    class: workloadClass(chain.kind, labels),
    queue,
    status: running ? 'running' : 'queued',
    requests: sumRequests(group.flatMap(({ pod: each }) => each.requests)),
    pods: group.map(({ pod: each }) => each.id),
    createdAt: chain.createdAt ?? earliest(group.map(({ pod: each }) => each.createdAt)) ?? pod.createdAt,
    startedAt: earliest(starts),
    waiting: running ? undefined : waitingOf(group, kueue),
    templates: templatesOf(group),
    labels: sharedLabels(group.map((each) => each.labels)),
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

function fromKueue(facts: KueueFacts, context: Context): Workload {
  const kind = facts.owner?.kind ?? 'Workload'
  const name = facts.owner?.name ?? facts.name
  return {
    id: `${facts.namespace}/${kind}/${name}`,
    namespace: facts.namespace,
    kind,
    name,
    class: workloadClass(kind, {}),
    queue: queueOf(facts, context),
    status: 'queued',
    requests: facts.requests,
    pods: [],
    createdAt: facts.createdAt,
    startedAt: undefined,
    waiting: facts.waiting,
  }
}

const QUEUE_LABEL = 'kueue.x-k8s.io/queue-name'
/** Of KAI, before version 0.6 by its older name. Its queues are not read: the name alone is known. */
const OTHER_QUEUE_LABELS = ['kai.scheduler/queue', 'runai/queue']
const isSaid = (name: string | undefined): boolean => name !== undefined && name !== ''

const queueOf = (
  facts: Pick<KueueFacts, 'namespace' | 'localQueue'> & Partial<Pick<KueueFacts, 'clusterQueue'>>,
  { clusterQueueOf }: Context,
): string | undefined =>
  facts.clusterQueue ?? clusterQueueOf.get(`${facts.namespace}/${facts.localQueue ?? ''}`) ?? facts.localQueue

// A pod that Kueue gates says only SchedulingGated; Kueue itself says why.
const waitingOf = (group: readonly OwnedPod[], kueue: KueueFacts | undefined): Waiting | undefined =>
  kueue?.waiting ?? group.find(({ pod }) => pod.waiting !== undefined)?.pod.waiting

/** Labels that are the same on all pods: what tells one pod from another, such as its index, is none of its workload's. */
function sharedLabels([first = {}, ...others]: readonly Labels[]): Labels {
  if (others.every((labels) => labels === first)) return first
  const shared = Object.entries(first).filter(([key, value]) => others.every((labels) => labels[key] === value))
  return Object.fromEntries(shared)
}
type Labels = OwnedPod['labels']

const earliest = (times: readonly Instant[]): Instant | undefined =>
  times.length === 0 ? undefined : instant(times.reduce((least, time) => Math.min(least, time), Infinity))
