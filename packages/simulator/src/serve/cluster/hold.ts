import { podSeedOf, type Occupancy } from '../../model/timeline.ts'
import { changePod, wait, type Demo, type Held, type LivePod } from './cluster.ts'
import { leadOf } from './wishes.ts'
import { podsOfWork } from './work-pods.ts'

/** When a workload's work is done. */
export const holdEnd = (cluster: Demo, occupancy: Occupancy): number =>
  cluster.held.get(occupancy)?.end ?? occupancy.end

/**
 * Takes a workload out of the ordinary course. A service or a notebook stays as long as somebody wants it, and nobody
 * comes to its seats after it; a Job still ends when its work is done.
 */
export function hold(cluster: Demo, occupancy: Occupancy): Held {
  const known = cluster.held.get(occupancy)
  if (known !== undefined) return known
  const isJob = leadOf(occupancy.owners)?.kind === 'Job'
  const held: Held = { end: isJob ? occupancy.end : Infinity, left: undefined }
  cluster.held.set(occupancy, held)
  if (isJob) return held
  cluster.closed.add(occupancy.slot)
  cluster.world.closeSlot(occupancy.slot, occupancy.start)
  for (const pod of podsOfWork(cluster, occupancy)) {
    if (pod.seated) standUp(cluster, pod)
    pod.end = Infinity
  }
  return held
}

/** Keeps what it has, beside the ordinary course; a pod that does not run yet goes to the scheduler. */
function standUp(cluster: Demo, pod: LivePod): void {
  if (pod.state.phase !== 'running') return unseat(cluster, pod)
  const { namespace, name, container } = pod.state
  const from = cluster.now()
  leaveSeat(cluster, pod)
  pod.holdings = cluster.world.placeAt(pod.units, {
    holder: { namespace, pod: name, container },
    activity: pod.activity,
    from,
  })
}

/** Somebody else sits there, or the partition is gone: the pod goes to the scheduler like any other. */
export function unseat(cluster: Demo, pod: LivePod): void {
  leaveSeat(cluster, pod)
  pod.units = []
  changePod(cluster, pod, { phase: 'waiting', node: undefined, boundAt: undefined })
  wait(cluster, pod)
}

function leaveSeat(cluster: Demo, pod: LivePod): void {
  if (pod.of !== undefined) cluster.world.endEarly(podSeedOf(pod.of.occupancy, pod.of.index), cluster.now())
  pod.seated = false
}
