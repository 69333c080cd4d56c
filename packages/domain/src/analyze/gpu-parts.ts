import type { Allocation, ClusterSnapshot } from '../cluster/inventory.ts'
import { holdersPer } from '../cluster/holders-per-device.ts'
import { guessesOn, type Guess } from '../cluster/guessed-holders.ts'
import { machineOf } from '../cluster/node-offer.ts'
import type { Gpu, GpuNode, Partition, PartitionId } from '../cluster/node.ts'
import type { WorkloadClass, WorkloadId } from '../cluster/workload.ts'
import { onceFor } from '../once-for.ts'
import { ratio } from '../units.ts'
import { downOn } from './broken-gpus.ts'
import { migShares } from './gpu-shares.ts'
import type { UsageKind, UsageRow } from './usage.ts'

/** One part of one GPU at one moment, and what it is doing. The shares of a GPU's parts add up to 1. */
export type GpuPart = Pick<
  UsageRow,
  'node' | 'pool' | 'machine' | 'gpu' | 'partition' | 'profile' | 'model' | 'share' | 'namespace' | 'workload' | 'pod'
> & {
  readonly kind: UsageKind
  readonly workloadClass: WorkloadClass | ''
  /** Partition and holder: what tells the parts of a GPU apart. */
  readonly key: string
  /** Which series of telemetry is about this part: its GPU's, an instance's, a pod's on a shared GPU, or none. */
  readonly series:
    | { readonly kind: 'gpu' }
    | { readonly kind: 'instance'; readonly instance: string }
    | { readonly kind: 'replica' }
    | { readonly kind: 'none' }
  /** The devices that its holder may have instead, this one with them. Absent: the holder is known, or there is none. */
  readonly among?: readonly Partition[]
}

/** What the parts are told from. */
export type PartSources = Pick<ClusterSnapshot, 'nodes' | 'allocations' | 'workloads'>

/** All parts of all GPUs of a snapshot, in its order. Usage, alerts and recommendations ask the same one. */
export const partsOfSnapshot = onceFor((snapshot: PartSources): readonly GpuPart[] => {
  const holders = holdersOf(snapshot)
  const shares = sharesOfParts()
  // Nearly all clusters name every holder.
  const isGuessed = snapshot.allocations.some(({ evidence }) => evidence === 'guess')
  return snapshot.nodes.flatMap((node) => {
    const down = downOn(node, (id) => holders.has(id))
    const guesses = isGuessed
      ? guessesOn(node, (id) => (holders.get(id) ?? []).map(({ allocation }) => allocation))
      : NO_GUESSES
    return node.gpus.flatMap((gpu) => partsOfGpu(gpu, node, { holders, shares, down, guesses }))
  })
})

/** Partitions that a pod could get now: held by nobody, on a GPU that is in use. In the order of the snapshot. */
export function unheldPartitions({ nodes, allocations }: Pick<PartSources, 'nodes' | 'allocations'>): ReadonlyArray<{
  readonly node: string
  readonly partition: Partition
}> {
  const held = new Set<string>(allocations.map(({ partition }) => partition))
  return nodes.flatMap((node) => {
    const down = downOn(node, (id) => held.has(id))
    return node.gpus
      .flatMap((gpu) => (down.has(gpu) ? [] : gpu.partitions))
      .flatMap((partition) => (held.has(partition.id) ? [] : { node: node.name, partition }))
  })
}

type Holder = { readonly allocation: Allocation; readonly class: WorkloadClass }
type Holders = ReadonlyMap<string, readonly Holder[]>

function holdersOf({ allocations, workloads }: PartSources): Holders {
  const classes = new Map<WorkloadId, WorkloadClass>(workloads.map((workload) => [workload.id, workload.class]))
  const holders = allocations.map((allocation): Holder => ({
    allocation,
    class: classes.get(allocation.workload) ?? 'unknown',
  }))
  return Map.groupBy(holders, ({ allocation }) => allocation.partition)
}

const NO_GUESSES: Context['guesses'] = new Map()

type Context = {
  readonly holders: Holders
  readonly shares: SharesOf
  readonly down: ReadonlySet<Gpu>
  readonly guesses: ReadonlyMap<PartitionId, Guess>
}

function partsOfGpu(gpu: Gpu, node: GpuNode, { holders, shares: sharesOf, down, guesses }: Context): GpuPart[] {
  const model = gpu.model ?? node.model ?? node.product
  const space = (kind: UsageKind, name: string, share: number): GpuPart => {
    const partition = `${gpu.id}/${name}`
    const place = { ...placeOf(node), gpu: gpu.id, model, partition, profile: '' }
    return { ...place, ...NOBODY, kind, share: ratio(share), key: partition, series: { kind: 'none' } }
  }
  if (down.has(gpu)) return [space('down', 'down', 1)]
  const shares = sharesOf(gpu, model)
  const parts = gpu.partitions.flatMap((partition, order) =>
    partsOfPartition({
      partition,
      node,
      model,
      share: shares.partitions[order] ?? 0,
      holders: holders.get(partition.id),
      among: guesses.get(partition.id)?.among,
      isUsed: gpu.unrequestedSince !== undefined,
    }),
  )
  if (shares.free > 0) parts.push(space('free', 'uncut', shares.free))
  if (shares.stranded > 0) parts.push(space('stranded', 'stranded', shares.stranded))
  return parts
}

type PartitionFacts = {
  readonly partition: Partition
  readonly node: GpuNode
  readonly model: string
  readonly share: number
  readonly holders: readonly Holder[] | undefined
  readonly among: readonly Partition[] | undefined
  /** The GPU works, and no request explains it. */
  readonly isUsed: boolean
}

/**
 * One part, or one for each holder where several pods may share a partition: then each counts for the same share of it,
 * however many there are, and what is left is free.
 */
function partsOfPartition({ partition, node, model, share, holders, among, isUsed }: PartitionFacts): GpuPart[] {
  const part = {
    ...placeOf(node),
    gpu: partition.gpu,
    partition: partition.id,
    profile: partition.kind === 'mig' ? partition.profile : '',
    model,
    series: seriesOf(partition),
  }
  const free = { kind: 'free', key: `${partition.id}\u0000` } as const
  if (holders === undefined) {
    // By a key of its own: it may become free or used within a bucket, whose rows keep both times apart.
    const unheld = isUsed ? ({ kind: 'unrequested', key: `${partition.id}/used` } as const) : free
    return [{ ...part, ...NOBODY, ...unheld, share: ratio(share) }]
  }
  const slots = Math.max(holders.length, holdersPer(partition, node))
  const rest = 1 - holders.length / slots
  const held = holders.map(({ allocation: { pod, workload }, class: workloadClass }): GpuPart => ({
    ...part,
    kind: 'held',
    share: ratio(share / slots),
    namespace: pod.slice(0, Math.max(0, pod.indexOf('/'))),
    workload,
    pod,
    workloadClass,
    key: `${partition.id}\u0000${pod}`,
    ...(among === undefined ? {} : { among }),
  }))
  return rest > 0 ? [...held, { ...part, ...NOBODY, ...free, share: ratio(share * rest) }] : held
}

const placeOf = (node: GpuNode) => ({ node: node.name, pool: node.pool, machine: machineOf(node) })

const NOBODY = { namespace: '', workload: '', pod: '', workloadClass: '' } as const

/** Which series of telemetry is about a partition. */
export function seriesOf(partition: Partition): GpuPart['series'] {
  if (partition.kind === 'mig') return { kind: 'instance', instance: partition.instance }
  return { kind: partition.kind === 'whole' ? 'gpu' : 'replica' }
}

type PartShares = { readonly partitions: readonly number[]; readonly free: number; readonly stranded: number }
export type SharesOf = (gpu: Gpu, model: string) => PartShares

/** Fleets repeat few layouts, so the shares of each are worked out once. */
export function sharesOfParts(): SharesOf {
  const known = new Map<string, PartShares>()
  return (gpu, model) => {
    if (!gpu.migEnabled) return unslicedShares(gpu)
    const layout = `${model} ${layoutKey(gpu)}`
    const shares = known.get(layout) ?? slicedShares(gpu, model)
    known.set(layout, shares)
    return shares
  }
}

/** Text that is equal for GPUs that are cut alike, in the same order. */
export const layoutKey = ({ partitions }: Gpu): string =>
  partitions
    .map((part) => (part.kind === 'mig' ? `${part.profile}@${part.placement?.start ?? '?'}` : part.kind))
    .join(' ')

const unslicedShares = ({ partitions }: Gpu): PartShares => ({
  partitions: partitions.map((part) => (part.kind === 'shared' ? (part.share ?? 1 / part.replicas) : 1)),
  free: 0,
  stranded: 0,
})

function slicedShares({ partitions }: Gpu, model: string): PartShares {
  const { instances, ...rest } = migShares(
    model,
    partitions.flatMap((partition) => (partition.kind === 'mig' ? partition : [])),
  )
  return { partitions: instances, ...rest }
}
