import { CORDON_TAINT, type Toleration } from '../../cluster/scheduling.ts'
import type { AppointedNode } from './appointment.ts'

/**
 * What lets a pod onto a node that is closed: the scheduler passes a cordoned node over unless a pod tolerates its taint
 * (plugin NodeUnschedulable), and other taints of the node stay in force.
 */
export function tolerationsFor(nodes: readonly AppointedNode[]): readonly Toleration[] {
  const taints = new Map(
    nodes.flatMap((node) =>
      node.taints.filter(({ effect }) => effect !== 'PreferNoSchedule').map((taint) => [JSON.stringify(taint), taint]),
    ),
  )
  return [
    { key: CORDON_TAINT, operator: 'Exists', value: '', effect: 'NoSchedule' },
    ...[...taints.values()].map(({ key, value, effect }): Toleration => ({ key, operator: 'Equal', value, effect })),
  ]
}
