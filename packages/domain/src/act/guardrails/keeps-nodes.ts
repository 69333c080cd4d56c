import type { GpuNode } from '../../cluster/node.ts'
import { nodeRefusal } from '../../cluster/node-rules.ts'
import type { Taint } from '../../cluster/scheduling.ts'
import { faultyGpu, unsoundNode } from '../../cluster/soundness.ts'
import type { Pod } from '../../cluster/workload.ts'
import { firstReason } from '../../plan/guardrail/guardrail.ts'
import { gpusWantedWhole } from '../../plan/recommend/wanted-whole.ts'
import { countedFleet } from '../../fleet/counted-fleet.ts'
import { podsOn } from '../../fleet/fleet.ts'
import { FreeRoom } from '../../fleet/free-room.ts'
import { changedGpus } from '../policy/blast-radius.ts'
import type { ActContext, ActRule } from './act-context.ts'

/**
 * A node goes only where each of its pods has another place now: evicted by the plan, free to run elsewhere, and with room
 * left there by what others have taken since and by who waits for it already.
 */
export const removesOnlyMovableWork: ActRule = (context) =>
  firstReason(context.run.plan.steps, ({ action }) => {
    if (action.kind !== 'remove-node') return undefined
    const fleet = countedFleet(context.snapshot)
    const room = new FreeRoom({ fleet })
    const without = new Set([action.node])
    for (const pod of fleet.ahead) room.take(room.find({ pod, without }) ?? [], pod)
    const because = firstReason(podsOn(context.state, action.node), (pod) => {
      const found = room.find({ pod, without })
      room.take(found ?? [], pod)
      return whyFixed(pod, context, found !== undefined)
    })
    return because && `${action.node} cannot be removed: ${because}`
  })

function whyFixed({ id, scheduling }: Pod, { run, plans }: ActContext, hasRoom: boolean): string | undefined {
  if (!run.plan.steps.some(({ action }) => action.kind === 'evict' && action.pod === id))
    return `${id} runs there and is in no step of the plan. Propose it again.`
  const { unread = [] } = scheduling
  if (unread.length > 0)
    return `where else ${id} may run is known only in part (${unread.join(', ')}). Move it by hand first.`
  const to = run.plan.moves.find(({ pod }) => pod === id)?.to
  if (to !== undefined) return hasRoom ? undefined : `the room kept for ${id} elsewhere is taken. Propose it again.`
  return plans.mayWait
    ? undefined
    : `no room is kept for ${id} elsewhere, so it would wait. Wait for room, or let plans leave pods waiting.`
}

/**
 * A node is shared only where a taint keeps other namespaces off it: replicas keep their resource's name, so the scheduler
 * gives them to anyone who asks for a GPU. Septet sets no taint itself: pods that do not tolerate it could not come
 * back.
 */
export const keepsOthersOffSharedNodes: ActRule = ({ run, state, snapshot }) =>
  firstReason(run.plan.steps, ({ action }) => {
    const node = action.kind === 'share' && action.to.kind !== 'none' ? state.nodes.get(action.node) : undefined
    return node && action.kind === 'share' ? whyOpen(node, action.tenant, snapshot.pods) : undefined
  })

function whyOpen(node: GpuNode, tenant: string, pods: readonly Pod[]): string | undefined {
  const { name } = node
  const room = { ...node.room, taints: node.room.taints.filter(keepsOthersOff) }
  if (room.taints.length === 0)
    return `Nothing keeps pods of other namespaces off ${name}, and shared GPUs are not isolated. Taint the node for ${tenant} (kubectl taint node ${name} dedicated=${tenant}:NoSchedule) once its pods tolerate that, and propose this again.`
  const asking = pods.filter(({ requests }) => requests.length > 0)
  const locked = asking.find((pod) => pod.node === name && nodeRefusal(pod.scheduling, room) !== undefined)
  if (locked !== undefined)
    return `${locked.id} does not tolerate the taints of ${name}, so it could not come back once the GPUs are shared. Give it the toleration, and propose this again.`
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

/** No GPU is cut or shared on a node whose joined GPUs a job holds together, or waits for. */
export const keepsJoinedNodesWhole: ActRule = ({ run, state, snapshot }) => {
  const cut = run.plan.steps.flatMap(({ action }) => {
    const isCutting =
      action.kind === 'repartition' ||
      action.kind === 'create-instance' ||
      (action.kind === 'share' && action.to.kind !== 'none')
    return isCutting ? changedGpus(action, state) : []
  })
  if (cut.length === 0) return undefined
  const whole = gpusWantedWhole(snapshot)
  const wanted = cut.find((id) => whole.has(id))
  return wanted === undefined
    ? undefined
    : `GPU ${wanted} is on ${state.nodeOfGpu.get(wanted)}, whose joined GPUs (NVLink) a job holds together or waits for. Choose GPUs of another node, or wait for the job's end.`
}

/** Every node that a change touches is there, ready and settled, and none of its devices is withheld or broken. */
export const touchesHealthyNodesOnly: ActRule = ({ touched, state }) =>
  firstReason(touched.nodes, (name) => {
    const node = state.nodes.get(name)
    return node === undefined
      ? `${name} is no longer in the cluster. Propose it again.`
      : (unsoundNode(node) ?? firstReason(node.gpus, faultyGpu))
  })
