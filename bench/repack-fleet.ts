import {
  boardFor,
  inferPlacements,
  maximalGeometries,
  mib,
  instant,
  migPartitionId,
  resourceOfProfile,
  type Allocation,
  type Board,
  type ClusterSnapshot,
  type Geometry,
  type Gpu,
  type GpuNode,
  type Partition,
  type Pod,
  type PodScheduling,
  type Workload,
  WHOLE_GPU_RESOURCE,
} from '@septet/domain'

import { randomFrom } from './random-from.ts'

export type RepackFleetSize = {
  readonly gpus: number
  readonly waiting: number
  /** Part of the instances that pods hold, 0–1. */
  readonly held: number
}

const GPUS_OF_NODE = 8
const AT = instant(1_767_225_600_000)

/** Parts of the fleet; those of `way` dra are served by a DRA driver. */
const MODELS = [
  { model: 'A100-SXM4-40GB', part: 0.3, way: 'mig' },
  { model: 'A100-SXM4-80GB', part: 0.3, way: 'mig' },
  { model: 'H100-80GB-HBM3', part: 0.3, way: 'dra' },
  { model: 'A30', part: 0.05, way: 'mig' },
  { model: 'T4', part: 0.05, way: 'whole' },
] as const

/**
 * A made-up cluster in which little is free: five models, GPUs cut at random and held by pods of many sizes, two pools of
 * which one is tainted, some pods without a controller or under a disruption budget, and work that waits for MIG
 * devices, whole GPUs and several at once.
 */
export function makeRepackFleet(seed: number, { gpus, waiting, held }: RepackFleetSize): ClusterSnapshot {
  const random = randomFrom(seed)
  const nodes = MODELS.flatMap((model) =>
    Array.from({ length: Math.max(1, Math.round((gpus * model.part) / GPUS_OF_NODE)) }, (_, index) =>
      nodeOf({ ...model, index, gpus: Math.min(GPUS_OF_NODE, gpus), random }),
    ),
  )
  const pods: Pod[] = []
  const workloads: Workload[] = []
  const allocations: Allocation[] = []
  for (const node of nodes) {
    for (const partition of node.gpus.flatMap(({ partitions }) => partitions)) {
      if (random() >= held) continue
      const scheduling = schedulingOf(random, node.room.taints.length > 0)
      const made = podOf({ id: pods.length, node: node.name, asks: asksOf(partition), scheduling })
      allocations.push({
        partition: partition.id,
        pod: made.id,
        workload: made.workload,
        since: AT,
        evidence: 'telemetry',
      })
      pods.push(made)
    }
  }
  const budgets = pods
    .filter((_, index) => index % 20 === 0)
    .map(({ id }, index) => ({ id: `lab/budget-${index}`, pods: [id], allowed: index % 2 }))
  while (pods.length < allocations.length + waiting) {
    const own = waitingPods(random, pods.length, allocations.length + waiting - pods.length)
    pods.push(...own)
    workloads.push(workloadOf(own))
  }
  workloads.push(...pods.filter(({ node }) => node !== undefined).map((pod) => workloadOf([pod])))
  const rest = { queues: [], quotas: [], problems: [], serverVersion: 'v1.34.0', cluster: `made-${seed}`, takenAt: AT }
  return { ...rest, nodes, pods, workloads, allocations, budgets }
}

type Made = (typeof MODELS)[number] & { readonly index: number; readonly gpus: number; readonly random: () => number }

function nodeOf({ model, way, index, gpus, random }: Made): GpuNode {
  const name = `${model.toLowerCase()}-${String(index).padStart(4, '0')}`
  const pool = index % 4 === 0 ? 'batch' : 'shared'
  return {
    name,
    pool,
    ready: random() > 0.01,
    schedulable: true,
    createdAt: AT,
    model,
    product: model,
    mig: { strategy: 'mixed', config: undefined, state: undefined },
    sharing: { kind: 'none' },
    allocatable: {},
    servedByDra: way === 'dra',
    room: {
      cpuMilli: 192_000,
      memory: mib(1_000_000),
      labels: { pool, zone: `zone-${index % 3}` },
      taints: pool === 'batch' ? [{ key: 'batch', value: '', effect: 'NoSchedule' }] : [],
    },
    gpus: Array.from({ length: gpus }, (_, gpu) => gpuOf(`GPU-${name}-${gpu}`, { name, gpu, model, way, random })),
    problems: [],
  }
}

type MadeGpu = Pick<Made, 'model' | 'way' | 'random'> & { readonly name: string; readonly gpu: number }

function gpuOf(id: string, { name, gpu, model, way, random }: MadeGpu): Gpu {
  const board = boardFor(model)
  const isCut = board !== undefined && way !== 'whole' && random() < 0.95
  const draws = isCut ? drawsOf(board) : []
  const cut = draws[Math.floor(random() * draws.length)] ?? {}
  const profiles = Object.entries(cut).flatMap(([profile, count]) => Array.from({ length: count }, () => profile))
  const placed = board === undefined ? [] : (inferPlacements(board, profiles) ?? [])
  const devices = placed.map(({ profile, placement }, instance): Partition => ({
    kind: 'mig',
    id: migPartitionId(id, String(instance + 1)),
    gpu: id,
    profile,
    instance: String(instance + 1),
    placement,
    placementSource: way === 'dra' ? 'reported' : 'inferred',
  }))
  return {
    id,
    node: name,
    index: gpu,
    model,
    identified: 'telemetry',
    migEnabled: devices.length > 0,
    partitions: devices.length > 0 ? devices : [{ kind: 'whole', id, gpu: id }],
    fault: undefined,
  }
}

const asksOf = (partition: Partition): string =>
  partition.kind === 'mig' ? resourceOfProfile(partition.profile) : WHOLE_GPU_RESOURCE

const pick = <T>(from: readonly [T, ...T[]], random: () => number): T =>
  from[Math.floor(random() * from.length)] ?? from[0]

function schedulingOf(random: () => number, tolerates: boolean): PodScheduling {
  const zone = Math.floor(random() * 3)
  return {
    cpuMilli: pick([1000, 2000, 4000, 8000], random),
    memory: mib(pick([4000, 8000, 16_000, 32_000], random)),
    nodeSelector: random() < 0.2 ? { zone: `zone-${zone}` } : {},
    nodeTerms: [],
    tolerations: tolerates ? [{ key: 'batch', operator: 'Exists', value: '', effect: '' }] : [],
    priority: pick([0, 0, 10], random),
    managed: random() > 0.1,
    evictable: random() > 0.05,
  }
}

type MadePod = {
  readonly id: number
  readonly node?: string
  readonly asks: string
  readonly count?: number
  readonly scheduling: PodScheduling
}

function podOf({ id, node, asks, count = 1, scheduling }: MadePod): Pod {
  const name = `pod-${String(id).padStart(6, '0')}`
  const namespace = `team-${id % 12}`
  return {
    id: `${namespace}/${name}`,
    uid: name,
    namespace,
    name,
    node,
    phase: node === undefined ? 'Pending' : 'Running',
    requests: [{ resource: asks, count }],
    scheduling,
    workload: `${namespace}/Job/${name}`,
    createdAt: instant(AT - id * 1000),
    startedAt: node === undefined ? undefined : AT,
    waiting: undefined,
  }
}

const ASKS = [
  WHOLE_GPU_RESOURCE,
  'nvidia.com/mig-7g.40gb',
  'nvidia.com/mig-7g.80gb',
  'nvidia.com/mig-4g.20gb',
  'nvidia.com/mig-4g.40gb',
  'nvidia.com/mig-3g.20gb',
  'nvidia.com/mig-3g.40gb',
  'nvidia.com/mig-2g.10gb',
  'nvidia.com/mig-2g.20gb',
  'nvidia.com/mig-2g.12gb',
] as const

/** Mostly one pod that asks for one partition; some ask for several, some come as a gang of four. */
function waitingPods(random: () => number, id: number, most: number): readonly Pod[] {
  const asks = pick(ASKS, random)
  const scheduling = schedulingOf(random, random() < 0.5)
  const shape = random()
  const count = shape < 0.1 ? pick([2, 4, 8], random) : 1
  const [first] = [podOf({ id, asks, count, scheduling })]
  const size = shape > 0.9 ? Math.min(4, most) : 1
  return Array.from({ length: size }, (_, index) =>
    index === 0 ? first : { ...podOf({ id: id + index, asks, count, scheduling }), workload: first.workload },
  )
}

function workloadOf(pods: readonly Pod[]): Workload {
  const [first] = pods
  if (first === undefined) throw new Error('a workload has pods')
  const { namespace, name, workload: id, createdAt, startedAt, requests, node } = first
  const status = node === undefined ? 'queued' : 'running'
  const own = { namespace, name, id, createdAt, startedAt, requests, status } as const
  return {
    ...own,
    kind: 'Job',
    class: 'unknown',
    queue: undefined,
    pods: pods.map((pod) => pod.id),
    waiting: undefined,
  }
}

const size = (one: Geometry): number => Object.values(one).reduce((sum, count) => sum + count, 0)

const known = new Map<Board, readonly Geometry[]>()

/** Cuts of a board, those with many instances more often: five pods for each GPU. */
function drawsOf(board: Board): readonly Geometry[] {
  const draws =
    known.get(board) ??
    maximalGeometries(board)
      .filter((cut) => Object.keys(cut).every((each) => !each.includes('+')))
      .flatMap((cut) => Array.from({ length: Math.ceil(size(cut) ** 5 / 100) }, () => cut))
  known.set(board, draws)
  return draws
}
