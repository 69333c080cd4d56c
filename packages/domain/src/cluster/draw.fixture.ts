import { type Gpu, type GpuNode, migPartitionId, type Partition } from './node.ts'
import { boardFor } from '../gpu/known-boards.ts'
import { inferPlacements } from '../gpu/infer-placements.ts'
import { resourceOf } from '../fleet/gpu-state.ts'
import { findModel } from '../gpu/catalog.ts'
import { DRAWN_AT, type Drawn, drawPod, drawWaiting, readRoom, workloadIdOf } from './draw-pod.fixture.ts'
import type { Allocation, ClusterSnapshot } from './inventory.ts'

/**
 * A cluster drawn as text, for tests: the reader sees the case, not its construction. One line is one GPU: node (and
 * `@pool`), model, what it is cut into with its holder or `-`. A line that repeats a node adds a GPU to it.
 *
 *     node-a@spot  A100-SXM4-80GB  [4g.40gb -] [3g.40gb lab/train-7]     MIG devices; the rest of the GPU is uncut
 *     node-b       H100-80GB-HBM3  [lab/train-8]                         a whole GPU
 *     node-c       T4              [1/2 web/chat-1] [1/2 -]              replicas of a shared GPU
 *     node-d       A30             MIG                                   MIG mode, no instances
 *     node-e       T4  down        [-]                                   a node that is not ready
 *     node-f       T4  cpu=8 memory=64 zone=a !gpu:NoSchedule  [-]       8 cores, 64 GiB; a label and a taint
 *     ?            lab/train-9     4g.40gb ×2 cpu=4 memory=16 zone=a     waits for two MIG devices where zone is a
 *     ?            lab/train-10    gpu queue=gpus !gpu                   waits for a GPU in a queue; tolerates a taint
 *
 * A node offers what it is cut into, and a pod asks for what it holds. A drawn pod is managed and evictable. Without `cpu` and `memory` a node has them unknown, and a pod asks for none.
 */
export function draw(strings: TemplateStringsArray, ...values: readonly unknown[]): ClusterSnapshot {
  const text = String.raw({ raw: strings }, ...values)
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : line.trim()))
  const nodes = new Map<string, GpuNode>()
  const allocations: Allocation[] = []
  const waiting: Drawn[] = []
  for (const line of lines) {
    if (line.startsWith('?')) waiting.push(drawWaiting(line))
    else addGpu(line, nodes, allocations)
  }
  const ids = [...new Set(allocations.map(({ pod }) => pod))].toSorted()
  const drawn = [...ids.map((id) => drawRunning(id, allocations, nodes)), ...waiting]
  return {
    cluster: 'drawn',
    takenAt: DRAWN_AT,
    serverVersion: 'v1.34.0',
    nodes: [...nodes.values()].map((node) => ({ ...node, allocatable: countOf(node, () => true) })),
    pods: drawn.map(({ pod }) => pod),
    workloads: drawn.map(({ workload }) => workload),
    allocations,
    queues: [],
    budgets: [],
    quotas: [],
    problems: [],
  }
}

export { DRAWN_AT } from './draw-pod.fixture.ts'

function addGpu(line: string, nodes: Map<string, GpuNode>, allocations: Allocation[]): void {
  const { name, pool, label, rest } = readLine(line)
  const node = nodes.get(name) ?? nodeOf(name, pool, { label, rest })
  const id = `GPU-${name}-${node.gpus.length}`
  const boxes = [...rest.matchAll(/\[([^\]]*)\]/gu)].map(([, box = '']) => box.trim().split(/\s+/u))
  const partitions = partitionsOf(id, label, boxes)
  allocations.push(...partitions.flatMap((partition, order) => allocationOf(partition, boxes[order]?.at(-1) ?? '-')))
  const gpu: Gpu = {
    id,
    node: name,
    index: node.gpus.length,
    model: findModel(label)?.name,
    identified: 'telemetry',
    migEnabled: /\bMIG\b/u.test(rest) || partitions.some(({ kind }) => kind === 'mig'),
    partitions,
    fault: undefined,
  }
  nodes.set(name, { ...node, gpus: [...node.gpus, gpu] })
}

function readLine(line: string): Record<'name' | 'pool' | 'label' | 'rest', string> {
  const [, name = '', pool = '', label = '', rest = ''] = /^([^\s@]+)@?(\S*)\s+(\S+)\s*(.*)$/u.exec(line) ?? []
  return { name, pool, label, rest }
}

function allocationOf({ id }: Partition, holder: string): Allocation[] {
  if (holder === '-') return []
  const pod = holder.includes('/') ? holder : `team/${holder}`
  return [{ partition: id, pod, workload: workloadIdOf(pod), since: DRAWN_AT, evidence: 'label' }]
}

function partitionsOf(gpu: string, label: string, boxes: readonly (readonly string[])[]): Partition[] {
  const board = boardFor(label)
  const profiles = boxes.map(([first = '']) => first)
  const placements = board === undefined ? undefined : inferPlacements(board, profiles)
  return boxes.map(([first = ''], order): Partition => {
    const replicas = Number(/^1\/(\d+)$/u.exec(first)?.[1] ?? 0)
    if (replicas > 0) return { kind: 'shared', id: `${gpu}/replica-${order}`, gpu, replica: order, replicas }
    if (!/^\dg\./u.test(first)) return { kind: 'whole', id: gpu, gpu }
    const placement = placements?.[order]?.placement
    const placementSource = placement === undefined ? 'unknown' : 'inferred'
    const instance = String(order + 1)
    return { kind: 'mig', id: migPartitionId(gpu, instance), gpu, profile: first, instance, placement, placementSource }
  })
}

const nodeOf = (
  name: string,
  pool: string,
  { label, rest }: { readonly label: string; readonly rest: string },
): GpuNode => ({
  name,
  pool,
  ready: !/\bdown\b/u.test(rest),
  schedulable: !/\bdown\b/u.test(rest),
  createdAt: DRAWN_AT,
  model: findModel(label)?.name,
  product: label,
  mig: { strategy: 'mixed', config: undefined, state: undefined },
  sharing: { kind: 'none' },
  allocatable: {},
  room: readRoom(rest),
  gpus: [],
  problems: [],
})

function drawRunning(id: string, allocations: readonly Allocation[], nodes: ReadonlyMap<string, GpuNode>): Drawn {
  const own = new Set(allocations.filter(({ pod }) => pod === id).map(({ partition }) => partition))
  const on = [...nodes.values()].filter(({ gpus }) =>
    gpus.some(({ partitions }) => partitions.some((partition) => own.has(partition.id))),
  )
  const held = on.flatMap((node) => Object.entries(countOf(node, (partition) => own.has(partition))))
  return drawPod(id, { node: on[0]?.name, requests: held.map(([resource, count]) => ({ resource, count })) })
}

/** Devices of a node by the resource that pods ask for. */
function countOf(node: GpuNode, isMeant: (partition: string) => boolean): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const partition of node.gpus.flatMap(({ partitions }) => partitions))
    if (isMeant(partition.id)) {
      const resource = resourceOf(node, partition)
      counts[resource] = (counts[resource] ?? 0) + 1
    }
  return counts
}
