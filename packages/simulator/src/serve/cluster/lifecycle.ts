import { makeActivity, type Activity } from '../../model/activity.ts'
import type { Slot } from '../../model/slots.ts'
import { seedOf } from '../../model/hash.ts'
import { epochLengthOf, podSeedOf, type Occupancy } from '../../model/timeline.ts'
import { refreshBudget } from './budgets.ts'
import { addPod, changePod, putPod, type Demo, type LivePod } from './cluster.ts'
import { happenedTo, reconcile } from './controllers.ts'
import { sayMade, sayScheduled, sayStarted } from './events.ts'
import { KEPT_MS, finish } from './finish.ts'
import { unseat } from './hold.ts'
import { admitToQueue, isQueued, refreshQueues } from './kueue.ts'
import { submitLoneJobs } from './lone-jobs.ts'
import { ownerKey, putOwner } from './owner-objects.ts'
import { refreshQuotas } from './quotas.ts'
import { isSuspended, ownerObjectOf } from './wishes.ts'
import { podLabels, podsOfWork, requestsOf, seatedPod } from './work-pods.ts'

/** Lets a cluster begin: everything that is there now appears, and what comes next is put on the agenda. */
export function beginLife(cluster: Demo): void {
  for (const slot of cluster.world.slots) enroll(cluster, slot, cluster.now() - KEPT_MS)
  receiveWork(cluster, { from: cluster.now(), to: cluster.now() + 1 })
}

/** Puts the first workload of a slot that ends after an instant on the agenda. */
function enroll(cluster: Demo, slot: Slot, after: number): void {
  const step = epochLengthOf(slot)
  for (let epoch = 0; epoch < 40; epoch++) {
    const window = { from: after + epoch * step, to: after + (epoch + 1) * step }
    const next = cluster.world.occupancies(slot, window).find(({ end }) => end > after)
    if (next !== undefined) return cluster.agenda.at(next.createdAt, () => appear(cluster, next))
  }
}

function appear(cluster: Demo, occupancy: Occupancy): void {
  const { slot } = occupancy
  // Who was there before stays, by somebody's wish.
  if (cluster.closed.has(slot)) return
  if (isCalledOff(cluster, occupancy)) return skip(cluster, occupancy)
  putOwners(cluster, occupancy)
  for (const index of slot.seats.keys()) {
    const pod = addPod(cluster, seatedPod(cluster, occupancy, index))
    putPod(cluster, pod)
    sayMade(cluster, pod)
    if (slot.cast?.takesTurns === true && occupancy.start > cluster.beganAt) unseat(cluster, pod)
  }
  if (isQueued(occupancy)) admitToQueue(cluster, occupancy, requestsOf(occupancy, 0))
  cluster.agenda.at(occupancy.start, () => start(cluster, occupancy))
  cluster.agenda.at(occupancy.end, () => finish(cluster, occupancy))
  enroll(cluster, slot, occupancy.end)
}

function putOwners(cluster: Demo, occupancy: Occupancy): void {
  const { namespace, owners, slot, createdAt } = occupancy
  const [labels, requests] = [podLabels(occupancy), requestsOf(occupancy, 0)]
  for (const [index, owner] of owners.entries()) {
    cluster.owners.set(ownerKey(namespace, owner), occupancy)
    // A CronJob is there before its Jobs, and stays as people have written it.
    if (owner.kind === 'CronJob' && ownerObjectOf(cluster, namespace, owner) !== undefined) continue
    const owned = { namespace, owner, above: owners[index - 1], role: slot.role, requests, createdAt, labels }
    putOwner(cluster, { ...owned, replicas: slot.seats.length, managedBy: slot.cast?.managedBy })
  }
}

/** A CronJob that is suspended makes no Jobs. */
function isCalledOff(cluster: Demo, { namespace, owners: [top] }: Occupancy): boolean {
  return top?.kind === 'CronJob' && isSuspended(ownerObjectOf(cluster, namespace, top))
}

function skip(cluster: Demo, occupancy: Occupancy): void {
  for (const index of occupancy.slot.seats.keys()) {
    cluster.world.endEarly(podSeedOf(occupancy, index), occupancy.createdAt)
  }
  enroll(cluster, occupancy.slot, occupancy.end)
}

function start(cluster: Demo, occupancy: Occupancy): void {
  for (const pod of podsOfWork(cluster, occupancy)) {
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
  refreshBudget(cluster, occupancy, occupancy.slot.seats.length)
}

const seatIsFree = (cluster: Demo, pod: LivePod): boolean =>
  pod.units.every(
    (unit) =>
      cluster.now() < unit.to && !unit.placed.some(({ from, to }) => from <= cluster.now() && cluster.now() < to),
  ) && !pod.units.some(({ node }) => cluster.paused.has(node.name))

/** Runs a pod that the scheduler has put somewhere. */
export function runPod(cluster: Demo, pod: LivePod): void {
  if (cluster.pods.get(pod.key) !== pod || pod.state.phase !== 'starting') return
  changePod(cluster, pod, { phase: 'running', startedAt: cluster.now() })
  cluster.journal.add({ kind: 'pod-started', ...happenedTo(pod) })
  sayStarted(cluster, pod)
  if (pod.of !== undefined) reconcile(cluster, pod.of.occupancy)
}

/** New work that has to queue arrives for as long as the demo runs. */
const ARRIVALS_MS = 600_000

function receiveWork(cluster: Demo, window: { from: number; to: number }): void {
  for (const work of cluster.world.queued(window)) {
    // Work that was there at the beginning came before; everything else is received once, when it comes.
    const isNew = work.createdAt >= window.from || window.to - window.from === 1
    if (isNew) cluster.agenda.at(work.createdAt, () => submitLoneJobs(cluster, work))
  }
  refreshQuotas(cluster)
  refreshQueues(cluster)
  cluster.agenda.at(window.to, () => receiveWork(cluster, { from: window.to, to: window.to + ARRIVALS_MS }))
}

/** The work of a pod that somebody created by hand. */
export const activityByHand = (key: string, since: number): Activity =>
  makeActivity({ seed: seedOf(key), role: 'training', start: since, large: false })
