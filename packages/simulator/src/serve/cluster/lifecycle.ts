import { makeActivity, type Activity } from '../../model/activity.ts'
import type { Slot } from '../../model/slots.ts'
import { mix, seedOf, suffix, uuidOf } from '../../model/hash.ts'
import type { QueuedWork } from '../../model/queue.ts'
import { containerOf, imageOf } from '../../model/tenants.ts'
import {
  containerNameOf,
  epochLengthOf,
  podNameOf,
  podSeedOf,
  type Occupancy,
  type Owner,
} from '../../model/timeline.ts'
import { refreshBudget, removeBudget } from './budgets.ts'
import { addPod, changePod, dropPod, putPod, wait, type Cluster, type LivePod } from './cluster.ts'
import { forgetUnplaced, sayMade, sayScheduled, sayStarted, sayStopped } from './events.ts'
import { admitToQueue, isQueued, leaveQueue, queueWork, refreshQueues, unqueueWork } from './kueue.ts'
import { putOwner, referenceTo, removeOwner } from './owner-objects.ts'
import type { PodState } from './pod-object.ts'
import { queuedRules, seatedRules } from './pod-rules.ts'
import { refreshQuotas } from './quotas.ts'

// How long finished Jobs and their pods stay: their ttlSecondsAfterFinished.
const KEPT_MS = 3_600_000

/** Lets a cluster begin: everything that is there now appears, and what comes next is put on the agenda. */
export function beginLife(cluster: Cluster): void {
  for (const slot of cluster.world.slots) enroll(cluster, slot, cluster.now() - KEPT_MS)
  receiveWork(cluster, { from: cluster.now(), to: cluster.now() + 1 })
}

/** Puts the first workload of a slot that ends after an instant on the agenda. */
function enroll(cluster: Cluster, slot: Slot, after: number): void {
  const step = epochLengthOf(slot)
  for (let epoch = 0; epoch < 40; epoch++) {
    const window = { from: after + epoch * step, to: after + (epoch + 1) * step }
    const next = cluster.world.occupancies(slot, window).find(({ end }) => end > after)
    if (next !== undefined) return cluster.agenda.at(next.createdAt, () => appear(cluster, next))
  }
}

function appear(cluster: Cluster, occupancy: Occupancy): void {
  const { namespace, owners, slot, createdAt } = occupancy
  const labels = labelsOf(occupancy)
  for (const [index, owner] of owners.entries()) {
    const requests = requestsOf(occupancy, 0)
    const owned = { namespace, owner, above: owners[index - 1], role: slot.role, requests, createdAt, labels }
    putOwner(cluster, { ...owned, replicas: slot.seats.length })
  }
  for (const index of slot.seats.keys()) {
    const pod = addPod(cluster, seatedPod(occupancy, index))
    putPod(cluster, pod)
    sayMade(cluster, pod)
  }
  if (isQueued(occupancy)) admitToQueue(cluster, occupancy, requestsOf(occupancy, 0))
  cluster.agenda.at(occupancy.start, () => start(cluster, occupancy))
  cluster.agenda.at(occupancy.end, () => finish(cluster, occupancy))
  enroll(cluster, slot, occupancy.end)
}

function seatedPod(occupancy: Occupancy, index: number): Omit<LivePod, 'key'> {
  const { slot, createdAt } = occupancy
  const seat = slot.seats[index]
  // Where somebody always waits for the seat, the pod before still has it.
  const bound = slot.scarce ? {} : ({ phase: 'starting', node: seat?.node, boundAt: createdAt + 1000 } as const)
  return {
    state: { ...stateOf(occupancy, index), ...bound },
    written: undefined,
    activity: occupancy.activity,
    end: occupancy.end,
    of: { occupancy, index },
    seated: true,
    holdings: [],
    units: seat?.units ?? [],
  }
}

function stateOf(occupancy: Occupancy, index: number): PodState {
  const { slot, namespace, owners } = occupancy
  const controller = owners.at(-1)
  const seed = podSeedOf(occupancy, index)
  return {
    namespace,
    name: podNameOf(occupancy, index),
    uid: uuidOf(seed),
    seed,
    createdAt: occupancy.createdAt,
    labels: { ...labelsOf(occupancy), ...controllerLabels(controller, index) },
    owner: controller === undefined ? undefined : referenceTo(namespace, controller),
    container: containerNameOf(occupancy),
    image: imageOf(slot.role),
    requests: requestsOf(occupancy, index),
    rules: seatedRules(slot.role, slot.seats[index]?.node, slot.cast),
    restart: controller?.kind === 'Job' ? 'Never' : 'Always',
    // The scheduler leaves these alone: their seat is coming free.
    phase: 'starting',
    node: undefined,
    boundAt: undefined,
    startedAt: undefined,
    endedAt: undefined,
    message: undefined,
  }
}

function labelsOf(occupancy: Occupancy): Record<string, string> {
  const { slot, owners } = occupancy
  return {
    'app.kubernetes.io/name': owners[0]?.name ?? slot.cast?.name ?? '',
    'app.kubernetes.io/component': slot.role,
    ...(isQueued(occupancy) ? { 'kueue.x-k8s.io/queue-name': 'gpu-batch' } : {}),
  }
}

function controllerLabels(controller: Owner | undefined, index: number): Record<string, string> {
  const { kind, name = '' } = controller ?? {}
  if (kind === 'ReplicaSet') return { 'pod-template-hash': name.slice(name.lastIndexOf('-') + 1) }
  if (kind === 'StatefulSet') return { 'apps.kubernetes.io/pod-index': String(index) }
  if (kind !== 'Job') return {}
  return { 'batch.kubernetes.io/job-name': name, 'batch.kubernetes.io/job-completion-index': String(index) }
}

function requestsOf({ slot }: Occupancy, index: number): Record<string, string> {
  const units = slot.seats[index]?.units ?? []
  const resource = units[0]?.resource ?? 'nvidia.com/gpu'
  const each = slot.role === 'notebook' ? 4 : 8
  return { cpu: String(each * units.length), memory: `${each * 6 * units.length}Gi`, [resource]: String(units.length) }
}

function podsOf(cluster: Cluster, occupancy: Occupancy): readonly LivePod[] {
  return [...(cluster.members.get(occupancy) ?? [])].flatMap((key) => cluster.pods.get(key) ?? [])
}

function start(cluster: Cluster, occupancy: Occupancy): void {
  for (const pod of podsOf(cluster, occupancy)) {
    if (!pod.seated || pod.of === undefined) continue
    const node = occupancy.slot.seats[pod.of.index]?.node
    if (node !== undefined && seatIsFree(cluster, pod)) {
      changePod(cluster, pod, {
        phase: 'running',
        node,
        boundAt: pod.state.boundAt ?? cluster.now(),
        startedAt: cluster.now(),
      })
      sayScheduled(cluster, pod)
      sayStarted(cluster, pod)
    } else unseat(cluster, pod)
  }
  refreshBudget(cluster, occupancy)
}

const seatIsFree = (cluster: Cluster, pod: LivePod): boolean =>
  pod.units.every(
    (unit) =>
      cluster.now() < unit.to && !unit.placed.some(({ from, to }) => from <= cluster.now() && cluster.now() < to),
  ) && !pod.units.some(({ node }) => cluster.paused.has(node.name))

/** Somebody else sits there, or the partition is gone: the pod goes to the scheduler like any other. */
function unseat(cluster: Cluster, pod: LivePod): void {
  if (pod.of !== undefined) cluster.world.endEarly(podSeedOf(pod.of.occupancy, pod.of.index), cluster.now())
  pod.seated = false
  pod.units = []
  changePod(cluster, pod, { phase: 'waiting', node: undefined, boundAt: undefined })
  wait(cluster, pod)
}

function finish(cluster: Cluster, occupancy: Occupancy): void {
  const { owners, namespace } = occupancy
  const runsOut = owners.at(-1)?.kind === 'Job'
  for (const pod of podsOf(cluster, occupancy)) {
    if (!runsOut || pod.state.phase !== 'running') dropPod(cluster, pod)
    else endPod(cluster, pod, occupancy.fails)
  }
  const leave = (): void => {
    for (const pod of podsOf(cluster, occupancy)) dropPod(cluster, pod)
    for (const owner of owners) if (owner.kind !== 'CronJob') removeOwner(cluster, namespace, owner)
    removeBudget(cluster, occupancy)
    leaveQueue(cluster, occupancy)
    cluster.members.delete(occupancy)
  }
  if (runsOut) cluster.agenda.at(occupancy.end + KEPT_MS, leave)
  else leave()
}

function endPod(cluster: Cluster, pod: LivePod, fails: boolean): void {
  pod.end = cluster.now()
  for (const holding of pod.holdings) holding.to = Math.min(holding.to, cluster.now())
  pod.holdings = []
  pod.units = []
  changePod(cluster, pod, { phase: fails ? 'failed' : 'succeeded', endedAt: cluster.now() })
}

/** A kubelet needs a moment to stop a container; then the controller, if there is one, makes another pod. */
export function takeAway(cluster: Cluster, pod: LivePod): void {
  if (cluster.pods.get(pod.key) !== pod) return
  sayStopped(cluster, pod)
  dropPod(cluster, pod)
  const { of } = pod
  // Without a controller nobody makes another.
  if (of === undefined || pod.state.owner === undefined) return
  if (pod.state.endedAt !== undefined || cluster.now() >= of.occupancy.end) return
  const seed = mix(pod.state.seed, cluster.store.version())
  const { name } = pod.state
  const fresh =
    pod.state.owner?.kind === 'StatefulSet' ? name : name.slice(0, name.lastIndexOf('-') + 1) + suffix(seed, 5)
  const state: PodState = {
    ...pod.state,
    name: fresh,
    uid: uuidOf(seed),
    seed,
    createdAt: cluster.now(),
    phase: 'waiting',
    node: undefined,
    boundAt: undefined,
    startedAt: undefined,
    message: undefined,
  }
  const next = addPod(cluster, { ...pod, state, written: undefined, seated: false, holdings: [], units: [] })
  putPod(cluster, next)
  sayMade(cluster, next)
  refreshBudget(cluster, of.occupancy)
}

/** Runs a pod that the scheduler has put somewhere. */
export function runPod(cluster: Cluster, pod: LivePod): void {
  if (cluster.pods.get(pod.key) !== pod || pod.state.phase !== 'starting') return
  changePod(cluster, pod, { phase: 'running', startedAt: cluster.now() })
  sayStarted(cluster, pod)
  if (pod.of !== undefined) refreshBudget(cluster, pod.of.occupancy)
}

/** New work that has to queue arrives for as long as the demo runs. */
const ARRIVALS_MS = 600_000

function receiveWork(cluster: Cluster, window: { from: number; to: number }): void {
  for (const work of cluster.world.queued(window)) {
    // Work that was there at the beginning came before; everything else is received once, when it comes.
    const isNew = work.createdAt >= window.from || window.to - window.from === 1
    if (isNew) cluster.agenda.at(work.createdAt, () => arrive(cluster, work))
  }
  refreshQuotas(cluster)
  refreshQueues(cluster)
  cluster.agenda.at(window.to, () => receiveWork(cluster, { from: window.to, to: window.to + ARRIVALS_MS }))
}

function arrive(cluster: Cluster, work: QueuedWork): void {
  if (work.count > 1) {
    queueWork(cluster, work)
    return cluster.agenda.at(work.end, () => unqueueWork(cluster, work))
  }
  const owner = { kind: 'Job', name: work.name } as const
  const labels = { 'app.kubernetes.io/name': work.name, 'app.kubernetes.io/component': work.role }
  const requests = { cpu: '8', memory: '48Gi', [work.resource]: String(work.count) }
  const owned = { namespace: work.namespace, owner, above: undefined, role: work.role, requests, labels }
  putOwner(cluster, { ...owned, replicas: 1, createdAt: work.createdAt })
  const pod = addPod(cluster, {
    state: queuedState(work, { labels, requests, owner }),
    written: undefined,
    activity: work.activity,
    end: work.end,
    of: undefined,
    seated: false,
    holdings: [],
    units: [],
  })
  putPod(cluster, pod)
  cluster.agenda.at(work.end, () => giveUp(cluster, pod, owner))
}

function queuedState(
  work: QueuedWork,
  of: { labels: Record<string, string>; requests: Record<string, string>; owner: Owner },
): PodState {
  return {
    namespace: work.namespace,
    name: `${work.name}-0-${suffix(work.seed, 5)}`,
    uid: uuidOf(work.seed),
    seed: work.seed,
    createdAt: work.createdAt,
    labels: { ...of.labels, ...controllerLabels(of.owner, 0) },
    owner: referenceTo(work.namespace, of.owner),
    container: containerOf(work.role),
    image: imageOf(work.role),
    requests: of.requests,
    rules: queuedRules(work.role, work.selector),
    restart: 'Never',
    phase: 'waiting',
    node: undefined,
    boundAt: undefined,
    startedAt: undefined,
    endedAt: undefined,
    message: undefined,
  }
}

/** Whoever waited for nothing cancels; whoever got a place works on for a while and is done. */
function giveUp(cluster: Cluster, pod: LivePod, owner: Owner): void {
  const leave = (): void => {
    if (cluster.pods.get(pod.key) === pod) dropPod(cluster, pod)
    removeOwner(cluster, pod.state.namespace, owner)
  }
  forgetUnplaced(pod)
  if (pod.state.phase === 'waiting' || cluster.pods.get(pod.key) !== pod) return leave()
  cluster.agenda.at(cluster.now() + 3 * KEPT_MS, () => {
    if (cluster.pods.get(pod.key) === pod) endPod(cluster, pod, false)
    cluster.agenda.at(cluster.now() + KEPT_MS, leave)
  })
}

/** The work of a pod that somebody created by hand. */
export const activityByHand = (key: string, since: number): Activity =>
  makeActivity({ seed: seedOf(key), role: 'training', start: since, large: false })
