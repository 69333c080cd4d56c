import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuNode } from '../../cluster/node.ts'
import { canonicalGeometry, geometryNow, sameSharing } from '../../fleet/gpu-state.ts'
import type { Action, Plan } from '../../plan/words/action.ts'
import type { Instant } from '../../units.ts'

/** Why the cluster is not as the plan says, in one sentence; undefined when it is. Judged on a snapshot taken since. */
export function unverified(plan: Plan, snapshot: ClusterSnapshot, appliedAt: Instant): string | undefined {
  if (snapshot.takenAt <= appliedAt) return 'The cluster has not been read since the last step.'
  const nodes = new Map(snapshot.nodes.map((node) => [node.name, node]))
  for (const { action } of plan.steps) {
    const because = whyNot(action, { nodes, snapshot })
    if (because !== undefined) return because
  }
  return whoWaits(plan, snapshot)
}

type Look = { readonly nodes: ReadonlyMap<string, GpuNode>; readonly snapshot: ClusterSnapshot }

function whyNot(action: Action, { nodes, snapshot }: Look): string | undefined {
  if ('node' in action) return whyNodeNot(action, { nodes, snapshot })
  if ('instance' in action) return whyNoInstance(action, snapshot)
  if (action.kind === 'scale' && action.to === 0) {
    const holder = snapshot.allocations.find(({ workload }) => workload === action.workload)
    return holder === undefined ? undefined : `${holder.pod} still holds ${holder.partition}.`
  }
  // Pods of the new size were seen to run; who has lost its place since has it no better than before.
  if (action.kind === 'resize') {
    const waits = snapshot.pods.find(({ node, workload }) => node === undefined && workload === action.workload)
    return waits === undefined ? undefined : `${waits.id} waits to be scheduled.`
  }
  return undefined
}

function whyNodeNot(action: Extract<Action, { readonly node: string }>, { nodes, snapshot }: Look): string | undefined {
  if (action.kind === 'repartition') return whyNotCut(action, nodes.get(action.node))
  if (action.kind === 'share') return whyNotShared(action, { nodes, snapshot })
  return action.kind === 'remove-node' && nodes.has(action.node) ? `${action.node} is still there.` : undefined
}

/** A claim is given any place on the GPU that its profile fits. */
function whyNoInstance(
  { kind, gpu: id, instance }: Extract<Action, { readonly kind: 'create-instance' | 'delete-instance' }>,
  { nodes }: ClusterSnapshot,
): string | undefined {
  const gpu = nodes.flatMap(({ gpus }) => gpus).find((each) => each.id === id)
  if (gpu === undefined) return `No exporter reports GPU ${id}.`
  const alike = gpu.partitions.filter((each) => each.kind === 'mig' && each.profile === instance.profile)
  if (kind === 'create-instance') return alike.length > 0 ? undefined : `GPU ${id} has no ${instance.profile}.`
  const still = alike.some((each) => each.kind === 'mig' && each.placement?.start === instance.placement.start)
  return still ? `GPU ${id} still has ${instance.profile} at memory slice ${instance.placement.start}.` : undefined
}

function whyNotCut(
  action: Extract<Action, { readonly kind: 'repartition' }>,
  node: GpuNode | undefined,
): string | undefined {
  if (node === undefined) return `${action.node} is no longer in the cluster.`
  if (!node.ready) return `${node.name} is not ready.`
  for (const { gpu: id, to } of action.gpus) {
    // A GPU that changed its mode keeps its id; what only a count told may have another.
    const gpu = node.gpus.find((each) => each.id === id)
    if (gpu === undefined) return `GPU ${id} of ${node.name} is not seen by its exporter.`
    if (gpu.fault !== undefined) return gpu.fault.message
    const now = JSON.stringify(canonicalGeometry(gpu.model, geometryNow(gpu) ?? {}))
    if (gpu.migEnabled !== to.migEnabled || now !== JSON.stringify(canonicalGeometry(gpu.model, to.geometry))) {
      return `The exporter of ${node.name} does not show GPU ${id} as the plan says.`
    }
  }
  return undefined
}

/** The node shares as planned, and for one namespace: whoever else came to it meanwhile is not isolated from that one. */
function whyNotShared(
  { node: name, to, tenant }: Extract<Action, { readonly kind: 'share' }>,
  { nodes, snapshot }: Look,
): string | undefined {
  const node = nodes.get(name)
  if (node === undefined) return `${name} is no longer in the cluster.`
  if (!node.ready) return `${name} is not ready.`
  if (!sameSharing(node.sharing, to)) return `${name} does not share its GPUs as the plan says.`
  if (to.kind === 'none') return undefined
  const other = snapshot.pods.find((pod) => pod.node === name && pod.namespace !== tenant)
  return other === undefined ? undefined : `${other.id} came to ${name}, whose GPUs are shared inside ${tenant} only.`
}

/** Pods that the plan displaced with room kept for them have to run again; a node that is shared has more of it than before. */
function whoWaits({ steps, moves }: Plan, { pods, workloads }: ClusterSnapshot): string | undefined {
  const hasRoom = steps.some(({ action }) => action.kind === 'share' && action.to.kind !== 'none')
  const mayWait = new Set(moves.flatMap(({ pod, to }) => (to === undefined && !hasRoom ? [pod] : [])))
  const displaced = steps.flatMap(({ action }) =>
    action.kind === 'evict' && !mayWait.has(action.pod) ? [action.workload] : [],
  )
  const known = new Set(workloads.map(({ id }) => id))
  const waiting = pods.find(
    ({ node, workload }) => node === undefined && displaced.includes(workload) && known.has(workload),
  )
  return waiting === undefined ? undefined : `${waiting.id} was displaced and waits to be scheduled.`
}
