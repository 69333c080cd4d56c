import { compareText } from '../../units.ts'
import type { Gpu, GpuId, GpuNode } from '../../cluster/node.ts'
import type { WorkloadId } from '../../cluster/workload.ts'
import { isServedByDra, resourceOf } from '../../fleet/gpu-state.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { Action, Landing, PlanStep, PodMove } from '../words/action.ts'

type DraftStep = Omit<PlanStep, 'number'>
type Fenced = { readonly keepEmpty: ReadonlySet<GpuId>; readonly moves: readonly PodMove[] }

/**
 * Nodes that take no pods until evicted work runs elsewhere: those with a GPU that is to stay empty and offers what evicted
 * pods ask for. The scheduler prefers what is least allocated, so it would fill just these. A node
 * that the plan sends somebody to stays open.
 */
export function fenceFor(steps: readonly DraftStep[], state: Fleet, { keepEmpty, moves }: Fenced): readonly string[] {
  const evicted = evictedBy(steps)
  if (keepEmpty.size === 0 || evicted.length === 0) return []
  const pods = new Map(state.began.pods.map((pod) => [pod.id, pod]))
  const wanted = new Set(evicted.flatMap(({ pod }) => pods.get(pod)?.requests ?? []).map(({ resource }) => resource))
  const receivers = new Set(moves.flatMap(({ to }) => (to === undefined ? [] : (state.nodeOfGpu.get(to.gpu) ?? []))))
  return state.began.nodes
    .filter((node) => node.schedulable && !receivers.has(node.name))
    .filter(({ name }) => draws(state.nodes.get(name), keepEmpty, wanted))
    .map(({ name }) => name)
    .toSorted(compareText)
}

/** As the node is after the plan: while its own GPUs change it is closed anyway. */
const draws = (node: GpuNode | undefined, keepEmpty: ReadonlySet<GpuId>, wanted: ReadonlySet<string>): boolean =>
  node !== undefined && node.gpus.some((gpu) => keepEmpty.has(gpu.id) && offersAny(node, gpu, wanted))

/** A DRA driver makes whatever its board has room for. */
const offersAny = (node: GpuNode, gpu: Gpu, wanted: ReadonlySet<string>): boolean =>
  (isServedByDra(node) && gpu.migEnabled) || gpu.partitions.some((partition) => wanted.has(resourceOf(node, partition)))

/** Who must run again before nodes open or go: these workloads, with as many pods as ran when the plan was made. */
export function landingsOf(workloads: ReadonlySet<WorkloadId>, { began }: Fleet): readonly Landing[] {
  const running = Map.groupBy(
    began.pods.filter(({ node, workload }) => node !== undefined && workloads.has(workload)),
    ({ workload }) => workload,
  )
  return [...running]
    .map(([workload, pods]) => ({ workload, pods: pods.length }))
    .toSorted((a, b) => compareText(a.workload, b.workload))
}

export const evictedBy = (steps: readonly DraftStep[]): ReadonlyArray<Extract<Action, { readonly kind: 'evict' }>> =>
  steps.flatMap(({ action }) => (action.kind === 'evict' ? action : []))
