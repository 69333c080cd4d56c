import { changeNode, type Cluster } from '../cluster.ts'
import { textAt, withValue } from '../../kube/json.ts'
import { updated } from '../../kube/managed-fields.ts'
import { timeText } from '../../kube/write.ts'

const CONFIG = ['metadata', 'labels', 'nvidia.com/mig.config'] as const

/** Somebody cuts the node another way by hand, a little after it was cut; mig-manager follows. */
export function driftAfterwards(cluster: Cluster, node: string, reconfigure: () => void): void {
  const fault = cluster.faults.take('drifted-layout', { node })
  if (fault === undefined) return
  cluster.agenda.at(cluster.now() + (fault.seconds ?? 0) * 1000, () => {
    changeNode(cluster, node, (object) => {
      const other = textAt(object, ...CONFIG) === 'all-disabled' ? 'all-balanced' : 'all-disabled'
      const after = withValue(object, CONFIG, other)
      const time = timeText(cluster.now())
      return updated(object, after, { manager: 'kubectl-label', operation: 'Update', subresource: '', time })
    })
    reconfigure()
  })
}
