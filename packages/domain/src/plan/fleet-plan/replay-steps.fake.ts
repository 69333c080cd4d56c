import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuId } from '../../cluster/node.ts'
import type { PodId } from '../../cluster/workload.ts'
import { nodeRefusal } from '../../cluster/node-rules.ts'
import { compareText } from '../../units.ts'
import { resourceOf } from '../../fleet/gpu-state.ts'
import { applyStep } from '../steps/check-plan.ts'
import type { PlanPolicy } from '../words/plan-policy.ts'
import type { PlanStep } from '../words/action.ts'

/** What became of a cluster whose scheduler is not ours. */
export type Replayed = {
  /** GPUs that somebody holds a part of. */
  readonly used: ReadonlySet<GpuId>
  /** Pods that wait, at the end. */
  readonly waiting: readonly PodId[]
  /** Nodes that were cordoned by the end and were not before. */
  readonly left: readonly string[]
}

/**
 * Carries out steps as `kubectl` would, with a scheduler as Kubernetes': after every step it binds each waiting pod to the
 * node that is least allocated (CPU and memory by the scheduler's own defaults, which is pods on nodes of equal size), and
 * the device plugin gives out of the node's devices the one that suits the plan least: on the emptiest GPU. A step that
 * waits until evicted work has started elsewhere is done only then; else the replay ends with an error.
 */
export function replaySteps(snapshot: ClusterSnapshot, steps: readonly PlanStep[], policy: PlanPolicy): Replayed {
  let now = settled(snapshot)
  for (const step of steps) {
    const { action } = step
    if (action.kind === 'uncordon') {
      const homeless = (action.landed ?? []).find((workload) =>
        waitingIn(now).some((pod) => pod.workload === workload.workload),
      )
      if (homeless !== undefined) throw new Error(`step ${step.number} waits for ${homeless.workload} for ever`)
    }
    const outcome = applyStep(now, { action, preconditions: [] }, policy)
    if (outcome.kind === 'refused') throw new Error(`step ${step.number}: ${outcome.because}`)
    now = settled(outcome.snapshot)
  }
  const gpuOf = new Map(now.nodes.flatMap(({ gpus }) => gpus.flatMap((g) => g.partitions.map(({ id }) => [id, g.id]))))
  return {
    used: new Set(now.allocations.map(({ partition }) => gpuOf.get(partition) ?? '')),
    waiting: waitingIn(now).map(({ id }) => id),
    left: now.nodes.flatMap(({ name, schedulable }, at) =>
      !schedulable && snapshot.nodes[at]?.schedulable === true ? name : [],
    ),
  }
}

const waitingIn = ({ pods }: ClusterSnapshot) =>
  pods.filter(({ node, phase }) => node === undefined && phase === 'Pending')

/** The cluster once the scheduler has looked at every waiting pod. */
function settled(snapshot: ClusterSnapshot): ClusterSnapshot {
  let now = snapshot
  for (const pod of waitingIn(snapshot).toSorted((a, b) => a.createdAt - b.createdAt || compareText(a.id, b.id))) {
    const holders = Map.groupBy(now.allocations, ({ partition }) => partition)
    const load = Map.groupBy(now.pods, ({ node }) => node)
    const [request] = pod.requests
    if (request === undefined) continue
    const places = now.nodes
      .filter((node) => node.ready && node.schedulable && nodeRefusal(pod.scheduling, node.room) === undefined)
      .map((node) => ({ node, free: freeOn(node, request.resource, holders) }))
      .filter(({ free }) => free.length >= request.count)
      .toSorted(
        (a, b) =>
          (load.get(a.node.name)?.length ?? 0) - (load.get(b.node.name)?.length ?? 0) ||
          compareText(a.node.name, b.node.name),
      )
    const [place] = places
    if (place === undefined) continue
    const { node, free } = place
    const taken = free.slice(0, request.count).map((partition) => ({
      partition,
      pod: pod.id,
      workload: pod.workload,
      since: now.takenAt,
      evidence: 'telemetry' as const,
    }))
    now = {
      ...now,
      pods: now.pods.map((each) => (each.id === pod.id ? { ...each, node: node.name, phase: 'Running' } : each)),
      allocations: [...now.allocations, ...taken],
    }
  }
  return now
}

/** Free devices of a node by which the resource is offered, those of the emptiest GPU first. */
function freeOn(
  node: ClusterSnapshot['nodes'][number],
  resource: string,
  holders: ReadonlyMap<string, unknown>,
): readonly string[] {
  return node.gpus
    .map((gpu) => ({ gpu, held: gpu.partitions.filter(({ id }) => holders.has(id)).length }))
    .toSorted((a, b) => a.held - b.held || a.gpu.index - b.gpu.index)
    .flatMap(({ gpu }) =>
      gpu.partitions
        .filter((partition) => !holders.has(partition.id) && resourceOf(node, partition) === resource)
        .map(({ id }) => id),
    )
}
