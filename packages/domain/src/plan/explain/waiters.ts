import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import type { WaitAsk, Waiter } from '../../analyze/waits.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { nodeRefusal } from '../../cluster/node-rules.ts'
import type { GpuNode } from '../../cluster/node.ts'
import type { GpuRequest, Pod, Workload } from '../../cluster/workload.ts'
import { shareOfResource } from '../../gpu/resource-share.ts'
import { instant } from '../../units.ts'
import type { WaitJudge } from './wait-verdict.ts'

export type WaiterSources = {
  readonly snapshot: ClusterSnapshot
  readonly judge: WaitJudge
  /** Whether an earlier look has seen this waiter wait. */
  readonly isKnown: (waiter: string) => boolean
}

/** All that waits for GPUs or has waited, by the pods that there are; and work that Kueue holds back before it has pods. */
export function waitersOf({ snapshot, judge, isKnown }: WaiterSources): readonly Waiter[] {
  const ask = askReader(snapshot)
  const workloads = new Map(snapshot.workloads.map((workload) => [workload.id, workload]))
  const created = Map.groupBy(snapshot.pods, ({ workload }) => workload)
  const pods = snapshot.pods.flatMap((pod): Waiter | [] => {
    const workload = workloads.get(pod.workload)
    if (workload === undefined || (pod.node === undefined && pod.phase !== 'Pending')) return []
    return { ...whoWaited(pod), ask: () => ask(pod), verdict: () => judge(pod, workload) }
  })
  const finished = (snapshot.finished ?? []).map((pod): Waiter => ({
    ...whoWaited(pod),
    ask: () => ask(pod),
    verdict: () => ({ cause: 'not-watched', change: undefined }),
  }))
  const heldBack = snapshot.workloads.flatMap((workload): Waiter | [] => {
    const { id, namespace, createdAt } = workload
    const waiter = `workload/${id}`
    // Whose first pods are there has stopped to wait as a whole: each of its pods waits for itself.
    const begun = workload.pods.length > 0
    if (begun && !isKnown(waiter)) return []
    const first = (created.get(id) ?? []).reduce((least, pod) => Math.min(least, pod.createdAt), Infinity)
    return {
      waiter,
      namespace,
      workload: id,
      createdAt,
      endedAt: begun ? instant(first) : undefined,
      toldAt: createdAt,
      ask: () => ask(workload),
      verdict: () => judge(undefined, workload),
    }
  })
  return [...pods, ...finished, ...heldBack]
}

const whoWaited = (pod: Pod): Omit<Waiter, 'ask' | 'verdict'> => ({
  waiter: pod.uid,
  namespace: pod.namespace,
  workload: pod.workload,
  createdAt: pod.createdAt,
  endedAt: pod.startedAt,
  toldAt: pod.refusedAt,
})

type Asking = Pick<Pod | Workload, 'requests'> & Partial<Pick<Pod, 'scheduling'>>

/** What is asked for, in GPUs, and which GPUs could serve it; equal asks are answered once. */
function askReader({ nodes }: ClusterSnapshot): (asking: Asking) => WaitAsk {
  const known = new Map<string, WaitAsk>()
  return ({ requests, scheduling }) => {
    const { nodeSelector, nodeTerms, tolerations } = scheduling ?? {}
    const key = JSON.stringify([requests, nodeSelector, nodeTerms, tolerations])
    const ask = known.get(key) ?? readAsk(nodes, requests, scheduling)
    known.set(key, ask)
    return ask
  }
}

function readAsk(
  nodes: readonly GpuNode[],
  requests: readonly GpuRequest[],
  scheduling: Pod['scheduling'] | undefined,
): WaitAsk {
  const open = nodes.filter(({ room }) => {
    const taints = room.taints.filter(({ key }) => !key.startsWith('node.kubernetes.io/'))
    return scheduling === undefined || nodeRefusal(scheduling, { ...room, taints }) === undefined
  })
  const shares = requests.map(({ resource, count }) => ({ count, of: devicesOf(resource, open, nodes) }))
  const gpus = shares.map(({ count, of }) => {
    const [first] = of
    // What differs from node to node is not known before it runs.
    return first === undefined || of.some(({ share }) => share !== first.share) ? undefined : count * first.share
  })
  const kinds = new Map(
    shares.flatMap(({ of }) => of.map(({ pool, model }) => [`${pool}\n${model}`, { pool, model }] as const)),
  )
  return {
    asks: requests.map(({ resource, count }) => `${count} × ${resource}`).join(', '),
    gpus: gpus.every((each) => each !== undefined) ? gpus.reduce((sum, each) => sum + each, 0) : undefined,
    kinds: [...kinds.values()],
  }
}

/** Devices of a resource on nodes that offer it, else on nodes that could, else on nodes that it may not use. */
function devicesOf(resource: string, open: readonly GpuNode[], all: readonly GpuNode[]): readonly Offered[] {
  const offering = open.filter(({ allocatable }) => (allocatable[resource] ?? 0) > 0)
  const found = [offering, open, all]
    .map((nodes) => nodes.flatMap((node) => offered(node, resource)))
    .find((devices) => devices.length > 0)
  // Where a node may give a whole GPU under this name, parts of others are not what was meant.
  const whole = found?.filter(({ share }) => share === 1) ?? []
  return whole.length > 0 ? whole : (found ?? [])
}

type Offered = { readonly share: number; readonly pool: string; readonly model: string }

/** The share of a GPU that one device of a resource is on a node; nothing where the node has no such devices. */
function offered(node: GpuNode, resource: string): readonly Offered[] {
  const share = shareOn(node, resource)
  return share === undefined ? [] : [{ share, pool: node.pool, model: node.model ?? node.product }]
}

function shareOn(node: GpuNode, resource: string): number | undefined {
  const isOffered = (node.allocatable[resource] ?? 0) > 0
  if (resource === SHARED_GPU_RESOURCE) return isOffered ? shareOfReplica(node) : undefined
  if (resource === WHOLE_GPU_RESOURCE) return shareOfWhole(node, isOffered)
  return resource.endsWith('.shared') ? undefined : shareOfResource(resource, node.model ?? node.product)
}

const SHARED_GPU_RESOURCE = `${WHOLE_GPU_RESOURCE}.shared`

const shareOfReplica = ({ sharing }: GpuNode): number | undefined =>
  sharing.kind === 'none' ? undefined : 1 / sharing.replicas

/** Under the single strategy, and where software divides them, what is called a GPU is a part of one. */
function shareOfWhole(node: GpuNode, isOffered: boolean): number | undefined {
  if (node.sharing.kind !== 'none') return isOffered ? shareOfReplica(node) : undefined
  return node.mig.strategy === 'single' && node.gpus.some(({ migEnabled }) => migEnabled) ? undefined : 1
}
