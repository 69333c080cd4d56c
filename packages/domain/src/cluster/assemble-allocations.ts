import { type GpuNode, type Partition, type PartitionId, type Problem } from './node.ts'
import { sharesOfGpu } from './gpu-share.ts'
import { holdersPer } from './holders-per-device.ts'
import { baseProfile, parseProfileName, profileOfResource } from '../gpu/profile-name.ts'
import { compareText, type Instant } from '../units.ts'
import type { Allocation, GpuShare, InventoryDevice, InventoryNode } from './inventory.ts'
import { isInUse, partitionSeen, type Sighting } from './sighting.ts'
import type { GpuRequest, Pod, PodId } from './workload.ts'

export type HoldingEvidence = {
  readonly node: GpuNode
  readonly inventory: InventoryNode
  /** Pods bound to the node that have not finished, by id. */
  readonly pods: readonly Pod[]
  readonly seen: readonly Sighting[]
  /** Allocations of these pods in the snapshot before. */
  readonly before: ReadonlyMap<PodId, readonly Allocation[]>
  readonly now: Instant
}

/**
 * Who holds what on one node. Shares that a scheduler gave come first, then the exporter's pod labels, then DRA claims, then
 * what was known of a pod before, since a pod keeps its devices while it lives. Then each pod gets as many matching
 * partitions as it asked for: those that are seen to be used first, then those it had before. No pod gets more than it
 * asked for.
 */
export function allocationsOn(evidence: HoldingEvidence): {
  readonly allocations: readonly Allocation[]
  readonly problem: Problem | undefined
} {
  const ledger = new NodeLedger(evidence)
  holdByShares(ledger, evidence)
  holdInstances(ledger, evidence)
  for (const sighting of evidence.seen) holdBySighting(ledger, sighting)
  holdByClaims(ledger, evidence.inventory)
  for (const pod of evidence.pods) holdAsBefore(ledger, pod)
  // What a scheduler made for a pod is on the GPU that it names, so where it is not seen it is on no other.
  const made = new Set(evidence.inventory.shares?.flatMap(({ pod, instance }) => (instance === undefined ? [] : pod)))
  const counted = evidence.pods.filter(({ id }) => !made.has(id))
  const only = onlyPossibilities(ledger, counted)
  const short: GpuRequest[] = []
  for (const pod of counted) {
    for (const request of pod.requests) {
      const missing = holdByCount(ledger, pod, { ...request, isOnly: only(request) })
      if (missing > 0) short.push({ resource: request.resource, count: missing })
    }
  }
  return { allocations: ledger.allocations(), problem: shortage(evidence.node, short) }
}

/** What is free and what is held on one node while allocations are made. */
class NodeLedger {
  readonly partitions: readonly Partition[]
  readonly pods: ReadonlyMap<PodId, Pod>
  readonly #evidence: HoldingEvidence
  readonly #byId: ReadonlyMap<PartitionId, Partition>
  readonly #byResource = new Map<string, ReadonlySet<Partition>>()
  #replicas: ReadonlyMap<string, readonly Partition[]> | undefined
  readonly #used: ReadonlySet<string>
  readonly #holders = new Map<PartitionId, Set<PodId>>()
  readonly #held = new Map<PodId, Partition[]>()
  readonly #heldOnGpu = new Map<string, number>()
  readonly #allocations: Allocation[] = []

  constructor(evidence: HoldingEvidence) {
    this.#evidence = evidence
    this.#used = new Set(evidence.seen.flatMap((sighting) => (isInUse(sighting) ? partitionSeen(sighting) : [])))
    this.partitions = evidence.node.gpus.flatMap((gpu) => gpu.partitions)
    this.#byId = new Map(this.partitions.map((partition) => [partition.id, partition]))
    this.pods = new Map(evidence.pods.map((pod) => [pod.id, pod]))
  }

  partition(id: PartitionId): Partition | undefined {
    return this.#byId.get(id)
  }

  isFree(partition: Partition): boolean {
    return this.room(partition) > 0
  }

  /** How many pods more may hold it. */
  room(partition: Partition): number {
    return holdersPer(partition, this.#evidence.node) - (this.#holders.get(partition.id)?.size ?? 0)
  }

  isUsed(partition: Partition): boolean {
    return this.#used.has(partition.id)
  }

  /** How many partitions of a GPU are held: the device plugin hands out replicas of the emptiest GPU first. */
  heldOn(gpu: string): number {
    return this.#heldOnGpu.get(gpu) ?? 0
  }

  replicasOf(gpu: string): readonly Partition[] {
    this.#replicas ??= Map.groupBy(
      this.partitions.filter(({ kind }) => kind === 'shared'),
      (partition) => partition.gpu,
    )
    return this.#replicas.get(gpu) ?? []
  }

  /** The partitions that an extended resource stands for on this node. */
  matching(resource: string): ReadonlySet<Partition> {
    const known = this.#byResource.get(resource)
    if (known !== undefined) return known
    const { strategy } = this.#evidence.node.mig
    const profile = profileOfResource(resource)
    const matching = new Set(
      this.partitions.filter((partition) => {
        if (profile !== undefined) return partition.kind === 'mig' && baseProfile(partition.profile) === profile
        // Under the single strategy every MIG device is offered as nvidia.com/gpu.
        return partition.kind !== 'mig' || strategy === 'single'
      }),
    )
    this.#byResource.set(resource, matching)
    return matching
  }

  /** How many partitions the pod may still get for a request. */
  missing(pod: Pod, { resource, count }: GpuRequest): number {
    const held = this.#held.get(pod.id) ?? []
    return Math.max(0, count - held.filter((partition) => this.matching(resource).has(partition)).length)
  }

  mayHold(pod: Pod, partition: Partition): boolean {
    if (this.#holders.get(partition.id)?.has(pod.id) === true) return false
    const fitting = pod.requests.filter(({ resource }) => this.matching(resource).has(partition))
    return pod.requests.length === 0 || fitting.some((request) => this.missing(pod, request) > 0)
  }

  hold(pod: Pod, partition: Partition, evidence: Allocation['evidence']): void {
    const holders = this.#holders.get(partition.id) ?? new Set()
    this.#holders.set(partition.id, holders.add(pod.id))
    this.#held.set(pod.id, [...(this.#held.get(pod.id) ?? []), partition])
    this.#heldOnGpu.set(partition.gpu, this.heldOn(partition.gpu) + 1)
    const earlier = this.previous(pod).find((allocation) => allocation.partition === partition.id)
    const since = earlier?.since ?? pod.startedAt ?? this.#evidence.now
    this.#allocations.push({ partition: partition.id, pod: pod.id, workload: pod.workload, since, evidence })
  }

  previous(pod: Pod): readonly Allocation[] {
    return this.#evidence.before.get(pod.id) ?? []
  }

  allocations(): readonly Allocation[] {
    return this.#allocations.toSorted((a, b) => compareText(a.partition, b.partition) || compareText(a.pod, b.pod))
  }
}

function holdByShares(ledger: NodeLedger, { node, inventory }: HoldingEvidence): void {
  for (const { pod: id, partition } of node.gpus.flatMap((gpu) => sharesOfGpu(gpu, inventory))) {
    const pod = ledger.pods.get(id)
    const own = ledger.partition(partition)
    if (pod !== undefined && own !== undefined && ledger.isFree(own)) ledger.hold(pod, own, 'claim')
  }
}

/** The MIG instances that a scheduler made for pods: by GPU and memory and, among several alike, by who is seen on one. */
function holdInstances(ledger: NodeLedger, { inventory, seen }: HoldingEvidence): void {
  for (const share of inventory.shares ?? []) {
    const pod = share.instance === undefined ? undefined : ledger.pods.get(share.pod)
    if (pod === undefined) continue
    const alike = instancesLike(ledger, share)
    const named = new Set(seen.flatMap((one) => (isSeenOn(pod, one) ? partitionSeen(one) : [])))
    const own = alike.find(({ id }) => named.has(id))
    const [first] = alike
    if (own !== undefined) ledger.hold(pod, own, 'label')
    else if (first !== undefined) ledger.hold(pod, first, alike.length === 1 ? 'claim' : 'guess')
  }
}

/** Free instances of the GPU that have so much memory; all that are free where none has. */
function instancesLike(ledger: NodeLedger, { gpu, instance }: GpuShare): readonly Partition[] {
  const gigabytes = Math.round((instance?.memory ?? 0) / 1024)
  const free = ledger.partitions.filter((one) => one.kind === 'mig' && one.gpu === gpu && ledger.isFree(one))
  const sized = free.filter((one) => one.kind === 'mig' && parseProfileName(one.profile)?.gigabytes === gigabytes)
  return sized.length > 0 ? sized : free
}

const isSeenOn = ({ id }: Pod, { holder }: Sighting): boolean =>
  holder !== undefined && `${holder.namespace}/${holder.pod}` === id

function holdBySighting(ledger: NodeLedger, sighting: Sighting): void {
  const { gpu, holder, vgpu } = sighting
  const pod = holder === undefined ? undefined : ledger.pods.get(`${holder.namespace}/${holder.pod}`)
  if (pod === undefined) return
  const partition = ledger.partition(partitionSeen(sighting)) ?? replicaFor(ledger, pod, { gpu, vgpu })
  if (partition === undefined || !ledger.isFree(partition) || !ledger.mayHold(pod, partition)) return
  ledger.hold(pod, partition, 'label')
}

/** The replica that the exporter names, else the one the pod had before, else the first free one of that GPU. */
function replicaFor(
  ledger: NodeLedger,
  pod: Pod,
  { gpu, vgpu }: { readonly gpu: string; readonly vgpu: string | undefined },
): Partition | undefined {
  const named = vgpu === undefined ? undefined : ledger.partition(`${gpu}/replica-${vgpu}`)
  if (named !== undefined) return named
  const shared = ledger.replicasOf(gpu)
  const before = new Set(ledger.previous(pod).map(({ partition }) => partition))
  return (
    shared.find((partition) => before.has(partition.id) && ledger.isFree(partition)) ??
    shared.find((partition) => ledger.isFree(partition))
  )
}

function holdByClaims(ledger: NodeLedger, { devices }: InventoryNode): void {
  const gpus = new Map(devices.map(({ name, uuid }) => [name, uuid]))
  for (const device of devices) {
    const partition = claimed(ledger, device, gpus.get(device.parent ?? '') ?? device.parent)
    for (const id of device.reservedFor.toSorted()) {
      const pod = ledger.pods.get(id)
      if (pod !== undefined && partition !== undefined && ledger.mayHold(pod, partition)) {
        ledger.hold(pod, partition, 'claim')
      }
    }
  }
}

/** Exporters number instances by themselves: one is known by its UUID, or by being the only one of its profile on its GPU. */
function claimed(ledger: NodeLedger, device: InventoryDevice, gpu: string | undefined): Partition | undefined {
  const id = device.uuid ?? device.name
  if (device.kind === 'gpu') return ledger.partition(id)
  const cut = ledger.partitions.filter((each) => each.kind === 'mig')
  const alike = cut.filter((each) => each.gpu === gpu && each.profile === device.profile)
  return cut.find(({ instance }) => instance === id) ?? (alike.length === 1 ? alike[0] : undefined)
}

/** What a pod was known to hold stays its own while nobody says otherwise. */
function holdAsBefore(ledger: NodeLedger, pod: Pod): void {
  for (const { partition: id, evidence } of ledger.previous(pod)) {
    const partition = KNOWN.has(evidence) ? ledger.partition(id) : undefined
    if (partition !== undefined && ledger.isFree(partition) && ledger.mayHold(pod, partition))
      ledger.hold(pod, partition, evidence)
  }
}

const KNOWN: ReadonlySet<Allocation['evidence']> = new Set(['label', 'claim', 'arithmetic'])

/**
 * Whether a pod's missing partitions can be but one set of devices: where all that is free is on one device, replicas of a
 * GPU being alike, or where the only pod that misses any takes all.
 */
function onlyPossibilities(ledger: NodeLedger, pods: readonly Pod[]): (request: GpuRequest) => boolean {
  const missing = pods.flatMap((pod) =>
    pod.requests.flatMap((request) => {
      const count = ledger.missing(pod, request)
      return count > 0 ? { resource: request.resource, count, matching: ledger.matching(request.resource) } : []
    }),
  )
  const only = new Set(
    [...new Set(missing.map(({ resource }) => resource))].filter((resource) => {
      const free = [...ledger.matching(resource)].filter((partition) => ledger.isFree(partition))
      const rivals = missing.filter(({ matching }) => free.some((partition) => matching.has(partition)))
      const devices = new Set(free.map(({ id, kind, gpu }) => (kind === 'shared' ? gpu : id)))
      const all = free.reduce((sum, partition) => sum + ledger.room(partition), 0)
      return devices.size === 1 || (rivals.length === 1 && rivals[0]?.count === all)
    }),
  )
  return ({ resource }) => only.has(resource)
}

/** Gives a pod what it asked for and does not hold yet; returns how many partitions are missing. */
function holdByCount(ledger: NodeLedger, pod: Pod, request: GpuRequest & { readonly isOnly: boolean }): number {
  const before = new Set(ledger.previous(pod).map(({ partition }) => partition))
  for (let missing = ledger.missing(pod, request); missing > 0; missing--) {
    const best = bestFree(ledger, request.resource, before)
    if (best === undefined) return missing
    ledger.hold(pod, best, request.isOnly ? 'arithmetic' : 'guess')
  }
  return 0
}

/** A free partition that is seen to be used, else one that the pod had before, else of shared GPUs one on the emptiest. */
function bestFree(ledger: NodeLedger, resource: string, before: ReadonlySet<PartitionId>): Partition | undefined {
  let best: { readonly partition: Partition; readonly rank: number } | undefined
  for (const partition of ledger.matching(resource)) {
    if (!ledger.isFree(partition)) continue
    const isSeen = ledger.isUsed(partition) ? -2 : 0
    const rank =
      isSeen + (before.has(partition.id) ? -1 : partition.kind === 'shared' ? ledger.heldOn(partition.gpu) : 0)
    if (best === undefined || rank < best.rank) best = { partition, rank }
  }
  return best?.partition
}

function shortage(node: GpuNode, short: readonly GpuRequest[]): Problem | undefined {
  if (short.length === 0) return undefined
  const counts = new Map<string, number>()
  for (const { resource, count } of short) counts.set(resource, (counts.get(resource) ?? 0) + count)
  const what = [...counts]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([resource, count]) => `${count} × ${resource}`)
    .join(', ')
  return {
    code: 'more-held-than-exists',
    message:
      `Pods bound to ${node.name} ask for ${what} beyond what its GPUs show. These pods are listed without a device; ` +
      'all other allocations stand. If the node was just repartitioned, wait for its labels; else restart its device plugin.',
    object: `node/${node.name}`,
  }
}
