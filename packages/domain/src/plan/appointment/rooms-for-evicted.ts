import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { PodId } from '../../cluster/workload.ts'
import { compareText } from '../../units.ts'
import { holdingsOf, movesOf } from '../repack/repack-answer.ts'
import { RepackFleet } from '../repack/repack-fleet.ts'
import { newEffort } from '../repack/search-effort.ts'
import { seatPods } from '../repack/seat-pods.ts'
import type { PodMove } from '../words/action.ts'

/** Where evicted pods find room now, the largest first, beside the nodes that are closed; without `to` they wait. */
export function roomsForEvicted(
  snapshot: ClusterSnapshot,
  evicted: readonly PodId[],
  closed: ReadonlySet<string>,
): readonly PodMove[] {
  if (evicted.length === 0) return []
  const nodes = snapshot.nodes.map((node) => (closed.has(node.name) ? { ...node, schedulable: false } : node))
  let fleet = new RepackFleet({ ...snapshot, nodes })
  const holdings = holdingsOf(snapshot, fleet)
  const seekers = evicted
    .flatMap((id) => {
      const pod = fleet.pods.get(id)
      const held = holdings.get(id) ?? []
      return pod === undefined ? [] : [{ pod, resources: held.map(({ resource }) => resource), model: held[0]?.model }]
    })
    .toSorted((a, b) => b.resources.length - a.resources.length || compareText(a.pod.id, b.pod.id))
  const effort = newEffort()
  return seekers
    .flatMap((seeker): readonly PodMove[] => {
      const { id } = seeker.pod
      const seating = seatPods(fleet, [seeker], effort)
      // Cutting a GPU anew for it would be another plan.
      if (seating.kind === 'none' || seating.seats.length === 0 || seating.seats.some(({ isThere }) => !isThere))
        return [{ pod: id, from: holdings.get(id)?.[0]?.partition ?? '', to: undefined }]
      fleet = seating.fleet
      return movesOf(seating.seats, holdings)
    })
    .toSorted((a, b) => compareText(a.pod, b.pod))
}
