import type { Occupancy } from '../../model/timeline.ts'
import { objectAt } from '../kube/json.ts'
import { kubeTime } from '../kube/write.ts'
import { refreshBudget } from './budgets.ts'
import { NEW_POD, POD, addPod, dropPod, putPod, type Demo, type Held, type LivePod } from './cluster.ts'
import { forgetUnplaced, sayMade, sayStopped } from './events.ts'
import { finish } from './finish.ts'
import { holdEnd, hold } from './hold.ts'
import { referenceTo } from './owner-objects.ts'
import { refreshQuotas } from './quotas.ts'
import { isUpToDate, refreshOwners } from './owner-status.ts'
import { leadOf, workWish, type WorkWish } from './wishes.ts'
import { anew, controllerLabels, isLeaving, podsOfWork, podState } from './work-pods.ts'

/** How long a kubelet takes to stop a container that does as it is told, within the grace that it has. */
const STOP_MS = 3_000
const GRACE_S = 30

/** Makes a workload's pods what its owner wants: ends surplus ones, makes missing ones, replaces outdated ones in turn. */
export function reconcile(cluster: Demo, occupancy: Occupancy): void {
  if (occupancy.owners.length === 0 || cluster.now() >= holdEnd(cluster, occupancy)) return
  const wish = workWish(cluster, occupancy)
  const pods = podsOfWork(cluster, occupancy)
  if (wish === undefined) {
    for (const pod of pods) endPod(cluster, pod)
    return
  }
  follow(cluster, occupancy, { wish, pods })
  refreshOwners(cluster, occupancy, wish)
  refreshBudget(cluster, occupancy, wish.count)
}

function follow(cluster: Demo, occupancy: Occupancy, of: { wish: WorkWish; pods: readonly LivePod[] }): void {
  const { wish, pods } = of
  const surplus = surplusOf(occupancy, pods, wish)
  const missing = missingOf(pods, wish)
  const outdated = pods.filter((pod) => !isLeaving(pod) && !surplus.includes(pod) && !isUpToDate(pod, wish))
  const isUsual = outdated.length === 0 && wish.count === occupancy.slot.seats.length
  if (!isUsual || cluster.held.has(occupancy)) keepTime(cluster, { occupancy, held: hold(cluster, occupancy), wish })
  for (const pod of surplus) endPod(cluster, pod)
  for (const index of missing) makePod(cluster, occupancy, { index, wish })
  if (missing.length === 0) replaceNext(cluster, { pods, outdated, isOrdered: isOrdered(occupancy) })
}

/** A suspended Job has as much to do when it goes on as it had when it stopped. */
function keepTime(cluster: Demo, of: { occupancy: Occupancy; held: Held; wish: WorkWish }): void {
  const { occupancy, held, wish } = of
  if (wish.controller.kind !== 'Job') return
  if (wish.count === 0) {
    held.left ??= held.end - cluster.now()
    held.end = Infinity
  } else if (held.left !== undefined) {
    held.end = cluster.now() + held.left
    held.left = undefined
    cluster.agenda.at(held.end, () => finish(cluster, occupancy))
  }
}

/** More than are wanted: of a StatefulSet the last ones, of others first those that do not run. */
function surplusOf(occupancy: Occupancy, pods: readonly LivePod[], wish: WorkWish): readonly LivePod[] {
  const staying = pods.filter((pod) => !isLeaving(pod) && pod.state.endedAt === undefined)
  const inOrder = staying.toSorted(
    (a, b) => (isOrdered(occupancy) ? 0 : waits(a) - waits(b)) || indexOf(a) - indexOf(b),
  )
  return inOrder.slice(Math.max(0, wish.count))
}
const isOrdered = ({ owners }: Occupancy): boolean => leadOf(owners)?.kind === 'StatefulSet'
const waits = ({ state }: LivePod): number => (state.phase === 'running' ? 0 : 1)
const indexOf = (pod: LivePod): number => pod.of?.index ?? 0

/** Numbers that no pod has. One that is leaving has its own until it has left. */
function missingOf(pods: readonly LivePod[], { count }: WorkWish): readonly number[] {
  const taken = new Set(pods.map(indexOf))
  const free = Array.from({ length: count + pods.length }, (_, index) => index).filter((index) => !taken.has(index))
  return free.slice(0, Math.max(0, count - pods.length))
}

type Replacing = {
  readonly pods: readonly LivePod[]
  readonly outdated: readonly LivePod[]
  readonly isOrdered: boolean
}

/**
 * One after another, and only while all others run: nothing makes room for two of a GPU's holders at once. A StatefulSet
 * waits even for a pod that will never run, until somebody takes that away (Kubernetes: "Forced rollback").
 */
function replaceNext(cluster: Demo, { pods, outdated, isOrdered: waitsForAll }: Replacing): void {
  for (const pod of outdated) if (!waitsForAll && pod.state.phase === 'waiting') endPod(cluster, pod)
  const settled = pods.every((pod) => !isLeaving(pod) && pod.state.phase === 'running')
  const next = outdated.at(-1)
  if (settled && next !== undefined) endPod(cluster, next)
}

function makePod(cluster: Demo, occupancy: Occupancy, of: { index: number; wish: WorkWish }): void {
  const { index, wish } = of
  const first = podState(occupancy, index)
  const { controller, requests, nodeSelector } = wish
  const name = controller.kind === 'ReplicaSet' ? `${controller.name}-` : first.name
  const state = anew({ ...first, name }, { now: cluster.now(), version: cluster.store.version() })
  const pod = addPod(cluster, {
    state: {
      ...state,
      owner: referenceTo(occupancy.namespace, controller),
      labels: { ...first.labels, ...controllerLabels(controller, index) },
      requests,
      rules: nodeSelector === undefined ? first.rules : { ...first.rules, nodeSelector },
    },
    ...NEW_POD,
    activity: occupancy.activity,
    end: holdEnd(cluster, occupancy),
    of: { occupancy, index },
  })
  putPod(cluster, pod)
  sayMade(cluster, pod)
}

/** A controller takes a pod of its own away: politely where it runs, at once where it does not. */
export function endPod(cluster: Demo, pod: LivePod): void {
  if (isLeaving(pod)) return
  if (pod.state.node === undefined || pod.state.endedAt !== undefined) return takeAway(cluster, pod)
  const object = cluster.store.get(POD, pod.key)?.read()
  if (object === undefined) return
  const metadata = {
    ...objectAt(object, 'metadata'),
    deletionTimestamp: kubeTime(cluster.now() + GRACE_S * 1000),
    deletionGracePeriodSeconds: GRACE_S,
  }
  pod.written = { ...object, metadata }
  cluster.journal.add({ kind: 'deleted', ...happenedTo(pod) })
  putPod(cluster, pod)
  stop(cluster, pod, GRACE_S)
}

/** The kubelet has a pod's grace to stop it, and takes what it needs of that. */
export function stop(cluster: Demo, pod: LivePod, graceSeconds: number): void {
  const { key, state } = pod
  const target = { pod: key, ...(state.node === undefined ? {} : { node: state.node.name }) }
  const obeys = cluster.faults.take('ignores-sigterm', target) === undefined
  const takes = obeys ? Math.min(graceSeconds * 1000, STOP_MS) : graceSeconds * 1000
  cluster.agenda.at(cluster.now() + takes, () => takeAway(cluster, pod))
  lookAgain(cluster, pod)
}

/** Whom the journal tells of. */
export const happenedTo = ({ key, state }: LivePod) => ({ node: state.node?.name, pod: key, uid: state.uid })

/** A pod is gone; then its controller, if there is one, makes another. */
export function takeAway(cluster: Demo, pod: LivePod): void {
  if (cluster.pods.get(pod.key) !== pod) return
  sayStopped(cluster, pod)
  forgetUnplaced(pod)
  dropPod(cluster, pod)
  if (pod.byPeople) refreshQuotas(cluster, pod.state.namespace)
  // What has ended is not made again.
  if (pod.state.endedAt !== undefined) return
  pod.gone?.()
  lookAgain(cluster, pod)
}

/** The controller of a pod sees in a moment what has become of it. */
function lookAgain(cluster: Demo, { of }: LivePod): void {
  if (of !== undefined) cluster.agenda.at(cluster.now(), () => reconcile(cluster, of.occupancy))
}
