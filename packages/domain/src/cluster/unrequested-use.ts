import { listed } from '../words.ts'
import type { Instant } from '../units.ts'
import type { HeldNode, NodeSources } from './kept-node.ts'
import { migPartitionId, type Gpu, type GpuId, type PartitionId, type Problem } from './node.ts'
import { isInUse, type Sighting } from './sighting.ts'
import { unrequestedUseWords } from './soundness.ts'

/**
 * The node with those GPUs marked that something uses which no pod is known to hold: a process outside of what the kubelet
 * gave out, or a holder whom nobody names. Who has just left may still be in the newest reading, so it is told as a problem
 * only once a later one says the same; it is planned with at no time.
 */
export function withUnrequestedUse(held: HeldNode, { seen, before }: NodeSources, now: Instant): HeldNode {
  const { node } = held
  const holds = new Set(held.allocations.map(({ partition }) => partition))
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

/** Of a GPU that is cut the exporter may tell the board as well: that is used by whoever holds any part of it. */
function usedByNobody(gpu: Gpu, own: readonly Sighting[], holds: ReadonlySet<PartitionId>): boolean {
  const isHeld = gpu.partitions.some(({ id }) => holds.has(id))
  const ids = new Set(gpu.partitions.map(({ id }) => id))
  return own.some((sighting) => {
    const part = sighting.instance === undefined ? undefined : migPartitionId(gpu.id, sighting.instance.id)
    return isInUse(sighting) && !(part !== undefined && ids.has(part) ? holds.has(part) : isHeld)
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
