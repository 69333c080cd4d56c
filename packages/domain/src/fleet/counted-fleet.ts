import type { ClusterSnapshot } from '../cluster/inventory.ts'
import type { Pod } from '../cluster/workload.ts'
import { onceFor } from '../once-for.ts'
import { livingByNode, openNode, type OpenNode } from './open-nodes.ts'

/** A cluster as pods could be placed in it, for one question. */
export type CountedFleet = {
  readonly snapshot: ClusterSnapshot
  readonly nodes: readonly OpenNode[]
  readonly isHeld: OpenNode['isHeld']
  /** Label keys that some node carries. */
  readonly labelKeys: ReadonlySet<string>
  /** Pods that were not refused yet and may take a place at any moment. */
  readonly ahead: readonly Pod[]
}

/**
 * The cluster of a snapshot, counted once for each snapshot. Each question gets an object of its own: what is found out
 * while it is answered is remembered with that and forgotten with it.
 */
export const countedFleet = (snapshot: ClusterSnapshot): CountedFleet => ({ ...counted(snapshot) })

const counted = onceFor((snapshot: ClusterSnapshot): CountedFleet => {
  const podsOn = livingByNode(snapshot.pods)
  const held = new Set(snapshot.allocations.map(({ partition }) => partition))
  const isHeld: OpenNode['isHeld'] = (id) => held.has(id)
  return {
    snapshot,
    nodes: snapshot.nodes.map((node) => openNode(node, podsOn.get(node.name) ?? [], isHeld)),
    isHeld,
    labelKeys: new Set(snapshot.nodes.flatMap(({ room }) => Object.keys(room.labels))),
    ahead: (podsOn.get('') ?? []).filter((pod) => pod.phase === 'Pending' && isUndecided(pod)),
  }
})

/** Neither refused by the scheduler nor held back before it. */
const isUndecided = ({ waiting, refusedAt }: Pod): boolean =>
  refusedAt === undefined && waiting?.reason !== 'SchedulingGated' && waiting?.reason !== 'Unschedulable'
