import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { migPartitionId, type Gpu, type GpuId, type GpuNode, type Partition } from '../../cluster/node.ts'
import { nodeRefusal } from '../../cluster/node-rules.ts'
import type { GpuRequest, PodId } from '../../cluster/workload.ts'
import { boardOf, cutOf, isServedByDra, resourceOf } from '../../fleet/gpu-state.ts'
import { profileOf } from '../../gpu/board.ts'
import { profileOfResource } from '../../gpu/profile-name.ts'
import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import { compareText } from '../../units.ts'
import { applyStep } from '../steps/check-plan.ts'
import type { Action, PlanStep } from '../words/action.ts'
import type { PlanPolicy } from '../words/plan-policy.ts'

/** What became of a cluster whose scheduler is not ours. */
export type Replayed = {
  /** GPUs that somebody holds a part of. */
  readonly used: ReadonlySet<GpuId>
  /** Pods that wait, at the end. */
  readonly waiting: readonly PodId[]
  /** Nodes that were cordoned by the end and were not before. */
  readonly left: readonly string[]
}

/** In which order the devices of a node are given out. */
export type DeviceOrder = {
  readonly gpus: 'emptiest' | 'fullest' | 'first' | 'last'
  /** What a DRA driver would still have to make: as soon as its GPU is reached, or once nothing is free on any. */
  readonly made: 'in turn' | 'at last'
  readonly starts: 'first' | 'last'
}

/** Every one of them. */
export const DEVICE_ORDERS: readonly DeviceOrder[] = (['emptiest', 'fullest', 'first', 'last'] as const).flatMap(
  (gpus) =>
    (['at last', 'in turn'] as const).flatMap((made) =>
      (['first', 'last'] as const).map((starts) => ({ gpus, made, starts })),
    ),
)

const EMPTIEST: DeviceOrder = { gpus: 'emptiest', made: 'at last', starts: 'first' }

/**
 * Carries out steps as `kubectl` would, with a scheduler as Kubernetes': after every step it binds each waiting pod to the
 * node that is least allocated (CPU and memory by the scheduler's own defaults, which is pods on nodes of equal size), and
 * the device plugin gives out of the node's devices the one that suits the plan least: on the emptiest GPU, or by another
 * order. A DRA driver makes an instance for a claim wherever a GPU in MIG mode has room, and gives a GPU without instances
 * whole; no command makes or removes one. A step that waits until evicted work has started elsewhere is done only then;
 * else the replay ends with an error.
 */
export function replaySteps(
  snapshot: ClusterSnapshot,
  steps: readonly PlanStep[],
  { order = EMPTIEST, ...policy }: PlanPolicy & { readonly order?: DeviceOrder },
): Replayed {
  const claimed = new Set(snapshot.nodes.filter(isServedByDra).map(({ name }) => name))
  let now = settled(snapshot, claimed, order)
  for (const { action, number } of steps) {
    const homeless = homelessIn(now, action)
    if (homeless !== undefined) throw new Error(`step ${number} waits for ${homeless} for ever`)
    const outcome = applyStep(now, { action, preconditions: [] }, policy)
    if (outcome.kind === 'applied') now = outcome.snapshot
    else if (action.kind !== 'create-instance' && action.kind !== 'delete-instance')
      throw new Error(`step ${number}: ${outcome.because}`)
    now = settled(now, claimed, order)
  }
  const gpuOf = new Map(now.nodes.flatMap(({ gpus }) => gpus.flatMap((g) => g.partitions.map(({ id }) => [id, g.id]))))
  const before = new Map(snapshot.nodes.map((node) => [node.name, node]))
  return {
    used: new Set(now.allocations.map(({ partition }) => gpuOf.get(partition) ?? '')),
    waiting: waitingIn(now).map(({ id }) => id),
    left: now.nodes.flatMap(({ name, schedulable }) =>
      !schedulable && before.get(name)?.schedulable === true ? name : [],
    ),
  }
}

/** A workload that the step waits for, of which fewer pods run by then than are to. */
function homelessIn({ pods }: ClusterSnapshot, action: Action): string | undefined {
  const landed = action.kind === 'uncordon' || action.kind === 'remove-node' ? (action.landed ?? []) : []
  const running = (workload: string): number =>
    pods.filter((pod) => pod.workload === workload && pod.node !== undefined).length
  return landed.find(({ workload, pods: wanted }) => running(workload) < wanted)?.workload
}

const waitingIn = ({ pods }: ClusterSnapshot) =>
  pods.filter(({ node, phase }) => node === undefined && phase === 'Pending')

/** The cluster once the scheduler has looked at every waiting pod. */
function settled(snapshot: ClusterSnapshot, claimed: ReadonlySet<string>, order: DeviceOrder): ClusterSnapshot {
  let now = snapshot
  for (const pod of waitingIn(snapshot).toSorted((a, b) => a.createdAt - b.createdAt || compareText(a.id, b.id))) {
    const held = new Set(now.allocations.map(({ partition }) => partition))
    const load = Map.groupBy(now.pods, ({ node }) => node)
    if (pod.requests.length === 0) continue
    const [place] = now.nodes
      .filter((node) => node.ready && node.schedulable && nodeRefusal(pod.scheduling, node.room) === undefined)
      .flatMap((node) => given(node, pod.requests, { held, order, isClaimed: claimed.has(node.name) }) ?? [])
      .toSorted(
        (a, b) =>
          (load.get(a.node.name)?.length ?? 0) - (load.get(b.node.name)?.length ?? 0) ||
          compareText(a.node.name, b.node.name),
      )
    if (place === undefined) continue
    const { node, devices } = place
    const taken = devices.map((partition) => ({
      partition,
      pod: pod.id,
      workload: pod.workload,
      since: now.takenAt,
      evidence: 'label' as const,
    }))
    now = {
      ...now,
      nodes: now.nodes.map((each) => (each.name === node.name ? node : each)),
      pods: now.pods.map((each) => (each.id === pod.id ? { ...each, node: node.name, phase: 'Running' } : each)),
      allocations: [...now.allocations, ...taken],
    }
  }
  return now
}

type Giving = { readonly held: ReadonlySet<string>; readonly order: DeviceOrder; readonly isClaimed: boolean }
type Found = { readonly gpu: Gpu; readonly id: string }

/** The node with the devices that a pod gets there; undefined: it has not all of them. */
function given(
  node: GpuNode,
  requests: readonly GpuRequest[],
  { held, order, isClaimed }: Giving,
): { readonly node: GpuNode; readonly devices: readonly string[] } | undefined {
  const taken = new Set(held)
  const devices: string[] = []
  let now = node
  for (const resource of requests.flatMap(({ resource: name, count }) => Array.from({ length: count }, () => name))) {
    const gpus = inOrder(now.gpus, taken, order)
    const there = (gpu: Gpu): Found | [] => {
      const free = gpu.partitions.find((each) => !taken.has(each.id) && resourceOf(now, each) === resource)
      return free === undefined ? [] : { gpu, id: free.id }
    }
    const made = (gpu: Gpu): Found | [] => (isClaimed ? (makeOn(gpu, resource, { taken, order }) ?? []) : [])
    const [found] =
      order.made === 'at last'
        ? [...gpus.flatMap(there), ...gpus.flatMap(made)]
        : gpus.flatMap((gpu) => [there(gpu), made(gpu)].flat())
    if (found === undefined) return undefined
    now = { ...now, gpus: now.gpus.map((gpu) => (gpu.id === found.gpu.id ? found.gpu : gpu)) }
    taken.add(found.id)
    devices.push(found.id)
  }
  return { node: now, devices }
}

function inOrder(gpus: readonly Gpu[], taken: ReadonlySet<string>, { gpus: order }: DeviceOrder): readonly Gpu[] {
  const held = ({ partitions }: Gpu): number => partitions.filter(({ id }) => taken.has(id)).length
  const rank = {
    emptiest: held,
    fullest: (gpu: Gpu) => -held(gpu),
    first: () => 0,
    last: (gpu: Gpu) => -gpu.index,
  }[order]
  return gpus.filter(({ fault }) => fault === undefined).toSorted((a, b) => rank(a) - rank(b) || a.index - b.index)
}

/** The GPU with what a DRA driver makes there for a claim; undefined: it has no room. */
function makeOn(
  gpu: Gpu,
  resource: string,
  { taken, order }: { readonly taken: ReadonlySet<string>; readonly order: DeviceOrder },
): Found | undefined {
  if (!gpu.migEnabled || gpu.partitions.some(({ kind, id }) => kind === 'whole' && taken.has(id))) return undefined
  const instances = gpu.partitions.filter(({ kind }) => kind === 'mig')
  if (resource === WHOLE_GPU_RESOURCE)
    return instances.length > 0
      ? undefined
      : { gpu: { ...gpu, partitions: [{ kind: 'whole', id: gpu.id, gpu: gpu.id }] }, id: gpu.id }
  const made = instanceOn(gpu, profileOfResource(resource) ?? '', order.starts)
  return made && { gpu: { ...gpu, partitions: [...instances, made] }, id: made.id }
}

function instanceOn(gpu: Gpu, name: string, starts: DeviceOrder['starts']): Partition | undefined {
  const board = boardOf(gpu)
  const profile = board && profileOf(board, name)
  const layout = cutOf(gpu)?.layout
  if (board === undefined || profile === undefined || layout === undefined) return undefined
  if (layout.filter((each) => profileOf(board, each.profile) === profile).length >= profile.max) return undefined
  const { size } = profile
  const start = profile.starts
    .filter((from) => layout.every(({ placement: at }) => from + size <= at.start || at.start + at.size <= from))
    .at(starts === 'first' ? 0 : -1)
  if (start === undefined) return undefined
  const instance = `claimed-${start}`
  const id = migPartitionId(gpu.id, instance)
  const placement = { start, size }
  return { kind: 'mig', id, gpu: gpu.id, profile: profile.name, instance, placement, placementSource: 'reported' }
}
