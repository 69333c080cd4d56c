import { migPartitionId } from './node.ts'
import { boardFor } from '../gpu/known-boards.ts'
import { inferPlacements } from '../gpu/infer-placements.ts'
import { findModel } from '../gpu/catalog.ts'
import { instant } from '../units.ts'
import type { Allocation, ClusterSnapshot } from './inventory.ts'
import type { Gpu, GpuNode, Partition } from './node.ts'
import type { Pod, Workload } from './workload.ts'

/**
 * A cluster drawn as text, for tests: the reader sees the case, not its construction. One line is one GPU: node (and
 * `@pool`), model, what it is cut into with its holder or `-`. A line that repeats a node adds a GPU to it.
 *
 *     node-a@spot  A100-SXM4-80GB  [4g.40gb -] [3g.40gb lab/train-7]     MIG devices; the rest of the GPU is uncut
 *     node-b       H100-80GB-HBM3  [lab/train-8]                         a whole GPU
 *     node-c       T4              [1/2 web/chat-1] [1/2 -]              replicas of a shared GPU
 *     node-d       A30             MIG                                   MIG mode, no instances
 *     node-e       T4  down        [-]                                   a node that is not ready
 */
export function draw(strings: TemplateStringsArray, ...values: readonly unknown[]): ClusterSnapshot {
  const text = String.raw({ raw: strings }, ...values)
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : line.trim()))
  const nodes = new Map<string, GpuNode>()
  const allocations: Allocation[] = []
  for (const line of lines) addGpu(line, nodes, allocations)
  const ids = [...new Set(allocations.map(({ pod }) => pod))].toSorted()
  return {
    cluster: 'drawn',
    takenAt: DRAWN_AT,
    serverVersion: 'v1.34.0',
    nodes: [...nodes.values()],
    pods: ids.map((id) => podOf(id, allocations, nodes)),
    workloads: ids.map(workloadOf),
    allocations,
    queues: [],
    problems: [],
  }
}

/** The instant of every drawn snapshot: 2026-01-01T00:00:00Z. */
export const DRAWN_AT = instant(1_767_225_600_000)

function addGpu(line: string, nodes: Map<string, GpuNode>, allocations: Allocation[]): void {
  const { name, pool, label, rest } = readLine(line)
  const node = nodes.get(name) ?? nodeOf(name, pool, { label, ready: !/\bdown\b/u.test(rest) })
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
  return [{ partition: id, pod, workload: workloadIdOf(pod), since: DRAWN_AT, evidence: 'telemetry' }]
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
  { label, ready }: { readonly label: string; readonly ready: boolean },
): GpuNode => ({
  name,
  pool,
  ready,
  schedulable: ready,
  createdAt: DRAWN_AT,
  model: findModel(label)?.name,
  product: label,
  mig: { strategy: 'mixed', config: undefined, state: undefined },
  sharing: { kind: 'none' },
  allocatable: {},
  gpus: [],
  problems: [],
})

const workloadIdOf = (pod: string): string => pod.replace('/', '/Pod/')

function podOf(id: string, allocations: readonly Allocation[], nodes: ReadonlyMap<string, GpuNode>): Pod {
  const own = allocations.filter(({ pod }) => pod === id).map(({ partition }) => partition)
  const node = [...nodes.values()].find(({ gpus }) =>
    gpus.some(({ partitions }) => partitions.some((partition) => own.includes(partition.id))),
  )
  const [namespace = '', name = ''] = id.split('/')
  return {
    id,
    uid: id,
    namespace,
    name,
    node: node?.name,
    phase: 'Running',
    requests: [{ resource: 'nvidia.com/gpu', count: own.length }],
    workload: workloadIdOf(id),
    createdAt: DRAWN_AT,
    startedAt: DRAWN_AT,
    waiting: undefined,
  }
}

function workloadOf(pod: string): Workload {
  const [namespace = '', name = ''] = pod.split('/')
  return {
    id: workloadIdOf(pod),
    namespace,
    kind: 'Pod',
    name,
    class: 'unknown',
    queue: undefined,
    status: 'running',
    requests: [],
    pods: [pod],
    createdAt: DRAWN_AT,
    startedAt: DRAWN_AT,
    waiting: undefined,
  }
}
