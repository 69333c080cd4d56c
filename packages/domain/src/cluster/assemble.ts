import { once } from '../once-for.ts'
import { agree, firstFew, listed } from '../words.ts'
import { compareText, type Instant } from '../units.ts'
import { allocationsOn } from './assemble-allocations.ts'
import { assembleNode } from './assemble-node.ts'
import { guessesOn, guessProblems } from './guessed-holders.ts'
import type { Allocation, ClusterSnapshot, Inventory } from './inventory.ts'
import { keptNode, unlessNew, type HeldNode, type NodeSources } from './kept-node.ts'
import { mixedTenants } from './mixed-tenants.ts'
import { type Gpu, type GpuId, type PartitionId, type Problem } from './node.ts'
import { isInUse, nodeNamer, partitionSeen, sightingsByNode, type Sighting } from './sighting.ts'
import { stuckHolders } from './stuck-holders.ts'
import type { Pod, PodId } from './workload.ts'
import { unrequestedUseWords } from './soundness.ts'

export type SnapshotSources = {
  readonly cluster: string
  readonly inventory: Inventory
  /** The newest sample of every device; empty where there is no telemetry. */
  readonly samples: Iterable<Sighting>
  /** The snapshot before this one: devices keep their identity and pods their devices while telemetry is silent. */
  readonly previous?: ClusterSnapshot | undefined
  readonly now: Instant
}

/**
 * Joins what the Kubernetes API says (counts, labels, requests) with what telemetry saw (devices, instances, holders)
 * into one snapshot. Same input, same snapshot: everything is sorted, and nothing is drawn by chance. Contradictions
 * become problems of the node; what is known stays usable. Nodes and allocations of which nothing has changed are the same objects as before.
 */
export function assembleSnapshot({ cluster, inventory, samples, previous, now }: SnapshotSources): ClusterSnapshot {
  const sources = inventory.nodes.toSorted((a, b) => compareText(a.name, b.name))
  const names = sources.map(({ name }) => name)
  const { byNode, strangers } = sightingsByNode(samples, names)
  const nodesBefore = new Map(previous?.nodes.map((node) => [node.name, node]))
  const removed = removedOf(previous, new Set(names), now)
  const allocationsBefore = once(() => Map.groupBy(previous?.allocations ?? [], ({ pod }) => pod))
  const podsByNode = boundPods(inventory.pods)
  const allocations: Allocation[] = []
  const nodes = sources.map((source) => {
    const seen = byNode.get(source.name) ?? []
    const pods = podsByNode.get(source.name) ?? []
    const evidence = { source, seen, pods, before: nodesBefore.get(source.name) }
    const held = keptNode(evidence, () => holdNode(evidence, allocationsBefore(), now))
    for (const allocation of held.allocations) allocations.push(allocation)
    return held.node
  })
  return {
    ...inventory,
    cluster,
    takenAt: now,
    nodes,
    pods: inventory.pods.toSorted((a, b) => compareText(a.id, b.id)),
    workloads: inventory.workloads.toSorted((a, b) => compareText(a.id, b.id)),
    allocations,
    ...(removed.length === 0 ? {} : { removed }),
    queues: inventory.queues.toSorted((a, b) => compareText(a.name, b.name)),
    budgets: inventory.budgets.toSorted((a, b) => compareText(a.id, b.id)),
    quotas: inventory.quotas.toSorted((a, b) => compareText(a.id, b.id)),
    problems: [
      ...inventory.problems,
      ...strangerProblems(strangers, removed),
      ...guessProblems(allocations, byNode),
      ...stuckHolders(inventory.pods, now),
    ],
  }
}

function holdNode(
  { source, seen, pods, before }: NodeSources,
  allocationsBefore: ReadonlyMap<PodId, readonly Allocation[]>,
  now: Instant,
): HeldNode {
  const node = assembleNode({ node: source, seen, before })
  const { allocations, problem } = allocationsOn({
    node,
    inventory: source,
    pods,
    seen,
    before: allocationsBefore,
    now,
  })
  const problems = [problem, mixedTenants(node, pods)].filter((each) => each !== undefined)
  const known = { node: { ...node, problems: [...node.problems, ...problems] }, allocations }
  const held = withUnrequestedUse(known, { source, seen, pods, before }, now)
  return {
    ...held,
    node: unlessNew(held.node, before),
    allocations: allocations.map((one) =>
      unlessNew(
        one,
        allocationsBefore.get(one.pod)?.find(({ partition }) => partition === one.partition),
      ),
    ),
  }
}

/** Pods that a kubelet has admitted devices for, by node; each list by id. */
function boundPods(pods: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> {
  const bound = pods.filter(({ node, phase }) => node !== undefined && phase !== 'Succeeded' && phase !== 'Failed')
  return Map.groupBy(
    bound.toSorted((a, b) => compareText(a.id, b.id)),
    ({ node = '' }) => node,
  )
}

/** A metrics engine gives the last values of a target that is gone for five minutes; agents and readings add to that. */
const SAMPLES_LATE_MS = 600_000

type Removed = NonNullable<ClusterSnapshot['removed']>

const removedOf = (previous: ClusterSnapshot | undefined, here: ReadonlySet<string>, now: Instant): Removed =>
  [...(previous?.removed ?? []), ...(previous?.nodes ?? []).map(({ name }) => ({ name, at: now }))].filter(
    ({ name, at }) => !here.has(name) && now - at <= SAMPLES_LATE_MS,
  )

function strangerProblems(strangers: ReadonlyMap<string, readonly Sighting[]>, removed: Removed): readonly Problem[] {
  const wasHere = nodeNamer(removed.map(({ name }) => name))
  const hosts = [...strangers.keys()].filter((host) => host !== '' && wasHere(host) === undefined).toSorted()
  const unnamed = strangers.get('')?.length ?? 0
  return [...(hosts.length === 0 ? [] : [strangerProblem(hosts)]), ...(unnamed === 0 ? [] : [unnamedProblem(unnamed)])]
}

const strangerProblem = (hosts: readonly string[]): Problem => ({
  code: 'telemetry-of-unknown-node',
  message:
    `Telemetry names ${agree(hosts.length, 'a host that is no GPU node', 'hosts that are no GPU nodes')} of this ` +
    `cluster: ${firstFew(hosts, 3)}. Their samples are left out; allocation and cost are unaffected. Check that the ` +
    `metrics source belongs to this cluster. If it does, ${NAME_THE_NODE}`,
  object: 'telemetry',
})

const unnamedProblem = (devices: number): Problem => ({
  code: 'telemetry-of-unknown-node',
  message:
    `Telemetry does not say on which node ${agree(devices, 'one device is', `${devices} devices are`)}: no label of ` +
    `${agree(devices, 'its', 'their')} series leads to a GPU node of this cluster. ${agree(devices, 'It is', 'They are')} ` +
    `left out; allocation and cost are unaffected. To fix it, ${NAME_THE_NODE}`,
  object: 'telemetry',
})

/** How series come to name their node. */
const NAME_THE_NODE =
  'set NODE_NAME in the exporter’s pods from spec.nodeName, or let the scrape configuration write ' +
  '__meta_kubernetes_pod_node_name into the label node.'

/**
 * The node with those GPUs marked that something uses which no pod is known to hold: a process outside of what the kubelet
 * gave out, or a holder whom nobody names. Who has just left may still be in the newest reading, so it is told as a problem
 * only once a later one says the same; it is planned with at no time.
 */
function withUnrequestedUse(held: HeldNode, { seen, before }: NodeSources, now: Instant): HeldNode {
  const { node } = held
  const holds = surelyHeld(held, seen)
  const sightings = Map.groupBy(seen, ({ gpu }) => gpu)
  const sinceBefore = new Map(before?.gpus.map(({ id, unrequestedSince }) => [id, unrequestedSince]))
  const gpus = node.gpus.map((gpu): Gpu => {
    const own = sightings.get(gpu.id) ?? []
    const earlier = sinceBefore.get(gpu.id)
    // Silence says nothing of a use that was seen, as long as nobody holds all of the GPU.
    const isUsed = own.length === 0 ? earlier !== undefined && !isAllHeld(gpu, holds) : usedByNobody(gpu, own, holds)
    return isUsed ? { ...gpu, unrequestedSince: earlier ?? latest(own, now) } : gpu
  })
  const used = gpus.filter(({ unrequestedSince }) => unrequestedSince !== undefined)
  if (used.length === 0) return held
  const told = used.filter((gpu) => isTold(gpu, { sightings, isFirst: before === undefined, now }))
  const problems = [...node.problems, ...(told.length === 0 ? [] : [problemOf(node.name, told)])]
  return { ...held, node: { ...node, gpus, problems }, awaitsReading: told.length < used.length }
}

/** What is held; of devices whose holders are guessed none where more of them are used than are held. */
function surelyHeld({ node, allocations }: HeldNode, seen: readonly Sighting[]): ReadonlySet<PartitionId> {
  const byPartition = Map.groupBy(allocations, ({ partition }) => partition)
  const used = new Set(seen.flatMap((one) => (isInUse(one) ? partitionSeen(one) : [])))
  const guesses = guessesOn(node, (id) => byPartition.get(id) ?? [])
  return new Set(
    [...byPartition.keys()].filter((id) => {
      const guess = guesses.get(id)
      return guess === undefined || guess.among.filter((one) => used.has(one.id)).length <= guess.holders
    }),
  )
}

/** Of a GPU that is cut the exporter may tell the board as well: that is used by whoever holds any part of it. */
function usedByNobody(gpu: Gpu, own: readonly Sighting[], holds: ReadonlySet<PartitionId>): boolean {
  const isHeld = gpu.partitions.some(({ id }) => holds.has(id))
  const ids = new Set(gpu.partitions.map(({ id }) => id))
  return own.some((sighting) => {
    const part = partitionSeen(sighting)
    return isInUse(sighting) && !(ids.has(part) ? holds.has(part) : isHeld)
  })
}

const isAllHeld = ({ partitions }: Gpu, holds: ReadonlySet<PartitionId>): boolean =>
  partitions.length > 0 && partitions.every(({ id }) => holds.has(id))

type Telling = {
  readonly sightings: ReadonlyMap<GpuId, readonly Sighting[]>
  readonly isFirst: boolean
  readonly now: Instant
}

function isTold({ id, unrequestedSince }: Gpu, { sightings, isFirst, now }: Telling): boolean {
  if (unrequestedSince === undefined) return false
  const own = sightings.get(id) ?? []
  return isFirst || own.length === 0 || latest(own, now) > unrequestedSince
}

const latest = (own: readonly Sighting[], now: Instant): Instant =>
  own.reduce<Instant>((last, { at = now }) => (at > last ? at : last), own[0]?.at ?? now)

const problemOf = (node: string, gpus: readonly Gpu[]): Problem => ({
  code: 'used-without-request',
  message: unrequestedUseWords(node, `GPU ${listed(gpus.map(({ index }) => String(index)))}`),
  object: `node/${node}`,
})
