import type { Allocation, ClusterSnapshot } from '../cluster/inventory.ts'
import type { Gpu, GpuNode, PartitionId } from '../cluster/node.ts'
import type { ProfileName } from '../gpu/geometry.ts'
import { compareText } from '../units.ts'
import { instancesOf } from './askable-gpus.ts'
import { roomOnGpu, type Blocked, type Room } from './gpu-room.ts'
import { isServedByDra, resourceOf } from './gpu-state.ts'

/** Where one more instance of a profile is wanted; without a model or node anywhere will do. */
export type RoomAsk = { readonly profile: ProfileName; readonly model?: string; readonly node?: string }

/** What the answer is made from; `heldByOthers` are partitions whose holders are not known, and held all the same. */
export type RoomSources = Pick<ClusterSnapshot, 'nodes' | 'allocations'> & {
  readonly heldByOthers?: ReadonlySet<PartitionId>
}

type On = { readonly node: GpuNode; readonly gpu: Gpu }
/** A GPU that can give instances of the profile. */
export type RoomPlace = On & Room
/** A GPU that could give one if its holders left. */
export type RoomBlocked = On & Blocked

/** Whether, where and on what terms a profile can be placed now. Every GPU is in exactly one of the three lists. */
export type RoomAnswer = {
  /** Instances that fit with nothing changed. */
  readonly now: number
  /** Further ones once GPUs (under DRA: instances) that nobody holds are cut again. */
  readonly recut: number
  /** Those that give most at once first. */
  readonly places: readonly RoomPlace[]
  /** Those with the fewest holders in the way first, and of them those that need not be cut again. */
  readonly blocked: readonly RoomBlocked[]
  /** GPUs that cannot give one whoever leaves, by reason, most first. */
  readonly refusals: readonly NodeRefusal[]
}

/** Why GPUs cannot, and one of their nodes. */
type NodeRefusal = { readonly because: string; readonly gpus: number; readonly nodes: number; readonly example: string }

/** What one GPU says to it. */
export type Looked = On & ReturnType<typeof roomOnGpu>

/** What each GPU says, in the order of the snapshot; of each node it follows from that node and its holders alone. */
export function lookForRoom(sources: RoomSources, { profile, model, node: only }: RoomAsk): readonly Looked[] {
  const holders = holdersIn(sources)
  return sources.nodes.flatMap((node) => {
    if (only !== undefined && node.name !== only) return []
    const gpus = node.gpus.filter((gpu) => model === undefined || gpu.model === model)
    const looked = gpus.map((gpu) => ({ node, gpu, ...roomOnGpu(gpu, node, { profile, holders }) }))
    return isServedByDra(node) ? looked : asCounted(looked, countedLeft(node, profile, holders))
  })
}

/** What the kubelet offers of a profile less what is held of it: a pod that holds a broken device counts as well. */
function countedLeft(node: GpuNode, profile: ProfileName, holders: ReadonlyMap<PartitionId, unknown>): number {
  const own = node.gpus.flatMap((gpu) => instancesOf(gpu, profile))
  const resources = new Set(own.map((each) => resourceOf(node, each)))
  const offered = [...resources].reduce((sum, resource) => sum + (node.allocatable[resource] ?? 0), 0)
  return Math.max(0, offered - own.filter(({ id }) => holders.has(id)).length)
}

/** The same with no more room than the scheduler would give. */
function asCounted(looked: readonly Looked[], most: number): readonly Looked[] {
  let left = most
  return looked.map((found) => {
    if (found.kind !== 'room' || found.now === 0) return found
    const now = Math.min(left, found.now)
    left -= now
    const { node, gpu } = found
    return now + found.recut > 0 ? { ...found, now } : { node, gpu, kind: 'refused', because: COUNTED_LESS }
  })
}

const COUNTED_LESS = 'its node offers fewer devices of this profile than are free on it'

/** The answer that lies in what the GPUs say. */
export function roomAnswer(looked: readonly Looked[]): RoomAnswer {
  const places: RoomPlace[] = []
  const blocked: RoomBlocked[] = []
  const refused = new Map<string, { gpus: number; readonly nodes: Set<string> }>()
  for (const found of looked) {
    if (found.kind === 'room') places.push(found)
    else if (found.kind === 'blocked') blocked.push(found)
    else {
      const tally = refused.get(found.because) ?? { gpus: 0, nodes: new Set<string>() }
      refused.set(found.because, tally)
      tally.gpus += 1
      tally.nodes.add(found.node.name)
    }
  }
  return {
    now: places.reduce((sum, place) => sum + place.now, 0),
    recut: places.reduce((sum, place) => sum + place.recut, 0),
    places: places.toSorted((a, b) => b.now - a.now || b.recut - a.recut || byPlace(a, b)),
    blocked: blocked.toSorted(
      (a, b) => a.inTheWay.length - b.inTheWay.length || Number(a.cutAnew) - Number(b.cutAnew) || byPlace(a, b),
    ),
    refusals: [...refused]
      .map(([because, { gpus, nodes }]) => ({ because, gpus, nodes: nodes.size, example: [...nodes][0] ?? '' }))
      .toSorted((a, b) => b.gpus - a.gpus || compareText(a.because, b.because)),
  }
}

const byPlace = (a: On, b: On): number => compareText(a.node.name, b.node.name) || a.gpu.index - b.gpu.index

function holdersIn({ allocations, heldByOthers }: RoomSources): ReadonlyMap<PartitionId, readonly Allocation[]> {
  const holders = new Map<PartitionId, readonly Allocation[]>()
  for (const id of heldByOthers ?? []) holders.set(id, [])
  for (const allocation of allocations) {
    holders.set(allocation.partition, [...(holders.get(allocation.partition) ?? []), allocation])
  }
  return holders
}
