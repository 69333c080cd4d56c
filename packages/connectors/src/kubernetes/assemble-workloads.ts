import type { Instant, Waiting, Workload } from '@septet/domain'
import { compareText, instant } from '@septet/domain'
import type { OwnedPod } from './assemble-pods.ts'
import { sumRequests } from './gpu-requests.ts'
import type { KueueFacts } from './parse-kueue.ts'
import { workloadClass } from './workload-class.ts'

type Context = {
  readonly kueue: readonly KueueFacts[]
  /** `namespace/local queue` → cluster queue. */
  readonly clusterQueueOf: ReadonlyMap<string, string>
}

/** Workloads by id: the owners of the pods, and work that Kueue holds back before it has pods. */
export function assembleWorkloads(pods: readonly OwnedPod[], context: Context): readonly Workload[] {
  const groups = Map.groupBy(pods, ({ pod }) => pod.workload)
  const queued = new Map(context.kueue.flatMap((facts) => facts.ownerUids.map((uid) => [uid, facts] as const)))
  const seen = new Set<KueueFacts>()
  const withPods = [...groups.values()].map((group) => {
    const kueue = group.flatMap(({ chain }) => chain.uids.flatMap((uid) => queued.get(uid) ?? []))
    kueue.forEach((facts) => seen.add(facts))
    return fromPods(group, kueue.find(({ waiting }) => waiting !== undefined) ?? kueue[0], context)
  })
  const withoutPods = context.kueue.filter((facts) => !seen.has(facts) && facts.waiting !== undefined)
  return [...withPods, ...withoutPods.map((facts) => fromKueue(facts, context))].toSorted((a, b) =>
    compareText(a.id, b.id),
  )
}

function fromPods(group: readonly OwnedPod[], kueue: KueueFacts | undefined, context: Context): Workload {
  const [first] = group
  if (first === undefined) throw new Error('a workload has at least one pod')
  const { pod, chain, labels } = first
  const running = group.some(({ pod: each }) => each.node !== undefined)
  const starts = group.flatMap(({ pod: each }) => each.startedAt ?? [])
  return {
    id: pod.workload,
    namespace: pod.namespace,
    kind: chain.kind,
    name: chain.name,
    class: workloadClass(chain.kind, labels),
    queue: queueOf(kueue ?? { namespace: pod.namespace, localQueue: labels[QUEUE_LABEL] }, context),
    status: running ? 'running' : 'queued',
    requests: sumRequests(group.flatMap(({ pod: each }) => each.requests)),
    pods: group.map(({ pod: each }) => each.id),
    createdAt: chain.createdAt ?? earliest(group.map(({ pod: each }) => each.createdAt)) ?? pod.createdAt,
    startedAt: earliest(starts),
    waiting: running ? undefined : waitingOf(group, kueue),
    labels: sharedLabels(group.map((each) => each.labels)),
  }
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
