import type { Occupancy } from '../../model/timeline.ts'
import { removeDisruptionBudget } from './budgets.ts'
import { changePod, dropPod, type Demo, type LivePod } from './cluster.ts'
import { holdEnd } from './hold.ts'
import { leaveQueue } from './kueue.ts'
import { ownerKey, removeOwner } from './owner-objects.ts'
import { keep, withJobStatus } from './owner-status.ts'
import { leadOf, ownerObjectOf } from './wishes.ts'
import { podsOfWork } from './work-pods.ts'

/** How long finished Jobs and their pods stay, milliseconds: their ttlSecondsAfterFinished. */
export const KEPT_MS = 3_600_000

/** A workload's work is done: Jobs stay for a while to be looked at, everything else goes with its owners. */
export function finish(cluster: Demo, occupancy: Occupancy): void {
  if (cluster.now() < holdEnd(cluster, occupancy)) return
  const runsOut = occupancy.owners.at(-1)?.kind === 'Job'
  for (const pod of podsOfWork(cluster, occupancy)) {
    if (!runsOut || pod.state.phase !== 'running') dropPod(cluster, pod)
    else complete(cluster, pod, occupancy.fails)
  }
  if (!runsOut) return leave(cluster, occupancy)
  const job = leadOf(occupancy.owners)
  const object = job === undefined ? undefined : ownerObjectOf(cluster, occupancy.namespace, job)
  if (job !== undefined && object !== undefined) {
    keep(cluster, job, withJobStatus(cluster, object, { pods: podsOfWork(cluster, occupancy), isOver: true }))
  }
  cluster.agenda.at(cluster.now() + KEPT_MS, () => leave(cluster, occupancy))
}

function leave(cluster: Demo, occupancy: Occupancy): void {
  const { owners, namespace } = occupancy
  for (const pod of podsOfWork(cluster, occupancy)) dropPod(cluster, pod)
  let isLast = true
  for (const owner of owners) {
    const key = ownerKey(namespace, owner)
    // Anyone who comes next to the seat may have the same name, and be there already.
    if (cluster.owners.get(key) !== occupancy) isLast = false
    else if (owner.kind !== 'CronJob') {
      cluster.owners.delete(key)
      removeOwner(cluster, namespace, owner)
    }
  }
  if (isLast) removeDisruptionBudget(cluster, occupancy)
  leaveQueue(cluster, occupancy)
  cluster.members.delete(occupancy)
}

/** The container of a pod has ended by itself. */
export function complete(cluster: Demo, pod: LivePod, fails: boolean): void {
  pod.end = cluster.now()
  for (const holding of pod.holdings) holding.to = Math.min(holding.to, cluster.now())
  pod.holdings = []
  pod.units = []
  changePod(cluster, pod, { phase: fails ? 'failed' : 'succeeded', endedAt: cluster.now() })
}
