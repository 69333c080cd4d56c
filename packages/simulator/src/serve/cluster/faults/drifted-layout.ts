import { changeNode, type Demo } from '../cluster.ts'
import { textIn, withValue } from '../../kube/json.ts'
import { updated } from '../../kube/managed-fields.ts'
import { kubeTime } from '../../kube/write.ts'

const CONFIG = ['metadata', 'labels', 'nvidia.com/mig.config'] as const

/** Somebody cuts the node another way by hand, a little after it was cut; mig-manager follows. */
export function driftAfterwards(cluster: Demo, node: string, reconfigure: () => void): void {
  const fault = cluster.faults.take('drifted-layout', { node })
  if (fault === undefined) return
  cluster.agenda.at(cluster.now() + (fault.seconds ?? 0) * 1000, () => {
    changeNode(cluster, node, (object) => {
      const other = textIn(object, ...CONFIG) === 'all-disabled' ? 'all-balanced' : 'all-disabled'
      const after = withValue(object, CONFIG, other)
      const time = kubeTime(cluster.now())
      return updated(object, after, { manager: 'kubectl-label', operation: 'Update', subresource: '', time })
    })
    reconfigure()
  })
}
