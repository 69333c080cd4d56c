import type { GpuNode } from '../../cluster/node.ts'
import { nodeRefusal } from '../../cluster/node-rules.ts'
import type { Taint } from '../../cluster/scheduling.ts'
import type { Pod } from '../../cluster/workload.ts'
import { type ActRule, refusing } from './act-context.ts'

/**
 * A node is shared only where a taint keeps other namespaces off it: replicas keep their resource's name, so the scheduler
 * gives them to anyone who asks for a GPU. Septet sets no taint itself: pods that do not tolerate it could not come
 * back.
 */
export const keepsOthersOffSharedNodes: ActRule = ({ run, state, snapshot }) => {
  for (const { action } of run.plan.steps) {
    if (action.kind !== 'share' || action.to.kind === 'none') continue
    const node = state.nodes.get(action.node)
    const because = node === undefined ? undefined : whyOpen(node, action.tenant, snapshot.pods)
    if (because !== undefined) return refusing('open-to-others', because)
  }
  return undefined
}

function whyOpen(node: GpuNode, tenant: string, pods: readonly Pod[]): string | undefined {
  const { name } = node
  const room = { ...node.room, taints: node.room.taints.filter(keepsOthersOff) }
  if (room.taints.length === 0) {
    return `Nothing keeps pods of other namespaces off ${name}, and shared GPUs are not isolated. Taint the node for ${tenant} (kubectl taint node ${name} dedicated=${tenant}:NoSchedule) once its pods tolerate that, and propose this again.`
  }
  const asking = pods.filter(({ requests }) => requests.length > 0)
  const locked = asking.find((pod) => pod.node === name && nodeRefusal(pod.scheduling, room) !== undefined)
  if (locked !== undefined) {
    return `${locked.id} does not tolerate the taints of ${name}, so it could not come back once the GPUs are shared. Give it the toleration, and propose this again.`
  }
  const other = asking.find((pod) => pod.namespace !== tenant && nodeRefusal(pod.scheduling, room) === undefined)
  return other === undefined
    ? undefined
    : `${other.id} of another namespace may run on ${name}, and shared GPUs are not isolated. Remove its toleration, or choose another node.`
}

/**
 * Whether a taint keeps anybody off for good. The admission of extended resources lets everybody who asks for a GPU tolerate
 * a taint of the resource's name, and taints of Kubernetes come and go with what happens to the node.
 */
const keepsOthersOff = ({ key, effect }: Taint): boolean =>
  (effect === 'NoSchedule' || effect === 'NoExecute') && !/^(?:nvidia\.com|(?:[^/]*\.)?kubernetes\.io)\//u.test(key)
