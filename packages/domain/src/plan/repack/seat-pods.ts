import type { GpuId } from '../../cluster/node.ts'
import type { Pod, PodId } from '../../cluster/workload.ts'
import { findRooms, type FoundRoom } from '../../fleet/find-rooms.ts'
import { nodeLikeness, podLikeness, type LikeDemand } from './likeness.ts'
import { podsPerNode, type Seeker } from './pods-per-node.ts'
import type { IndexedFleet } from '../../fleet/indexed-fleet.ts'
import type { GpuSlot } from '../../fleet/gpu-space.ts'
import { newEffort, type SearchEffort } from './search-effort.ts'

export type Seat = {
  readonly pod: PodId
  readonly gpu: GpuId
  readonly slot: GpuSlot
  /** Whether the slot is there already. */
  readonly isThere: boolean
}

export type RepackSeating =
  | { readonly kind: 'seated'; readonly fleet: IndexedFleet; readonly seats: readonly Seat[] }
  /** `exact`: no way exists; otherwise not every way was tried. */
  | { readonly kind: 'none'; readonly exact: boolean }

/** Rooms that one search may try before it gives up without a proof. */
const ROOMS_TRIED = 2000

/**
 * Finds room for all of these pods at once, by search: the first room of each kind, deeper where that led nowhere. What
 * counting alone excludes is not searched.
 */
export function seatPods(
  fleet: IndexedFleet,
  seekers: readonly Seeker[],
  effort: SearchEffort = newEffort(),
): RepackSeating {
  const fits = countedFits(fleet, seekers)
  if (fits === undefined) return { kind: 'none', exact: true }
  const wants = wantsOf(seekers, fits)
  // The first way down is always tried to its end.
  const search = { wants, left: Math.max(2 * wants.length, Math.min(ROOMS_TRIED, effort.rooms)), tried: 0 }
  const found = seat(search, { fleet, index: 0, node: undefined })
  effort.rooms -= Math.max(0, search.tried - wants.length)
  if (found === undefined) return { kind: 'none', exact: search.left > 0 }
  return { kind: 'seated', fleet: found.fleet, seats: found.seats.toReversed() }
}

type Fits = ReadonlyMap<Seeker, Int32Array | undefined>

/** What each node can take at most; undefined where that is not enough for all. */
function countedFits(fleet: IndexedFleet, seekers: readonly Seeker[]): Fits | undefined {
  const fits = new Map<Seeker, Int32Array | undefined>()
  if (seekers.length === 1 && seekers.every(({ resources }) => resources.length === 1)) return fits
  const alone = new Set(seekers.flatMap(({ resources }) => resources)).size === 1
  for (const equal of Map.groupBy(seekers, textOf).values()) {
    const [one] = equal
    if (one === undefined || one.resources.length === 0) continue
    const own = podsPerNode(fleet, one, alone)
    if (own.reduce((sum, count) => sum + count, 0) < equal.length) return undefined
    for (const seeker of equal) fits.set(seeker, own)
  }
  return fits
}

const textOf = ({ pod, resources, model }: Seeker): string => `${podLikeness(pod)} ${model} ${resources.join()}`

type Want = {
  readonly pod: Pod
  readonly resource: string
  readonly model: string | undefined
  /** Of a pod's partitions the first takes the node's CPU and memory for all. */
  readonly first: boolean
  readonly fits: Int32Array | undefined
  /** Of this want and all after it. */
  readonly demand: LikeDemand
}

function wantsOf(seekers: readonly Seeker[], fits: Fits): readonly Want[] {
  const wants: Want[] = []
  let demand: LikeDemand = { cpuMilli: 0, memory: 0, joint: false }
  for (const seeker of seekers.toReversed()) {
    const { pod, resources, model } = seeker
    const { cpuMilli, memory } = pod.scheduling
    demand = {
      cpuMilli: demand.cpuMilli + cpuMilli,
      memory: demand.memory + memory,
      joint: demand.joint || resources.length > 1,
    }
    for (const [index, resource] of [...resources.entries()].toReversed()) {
      wants.push({ pod, resource, model, first: index === 0, fits: fits.get(seeker), demand })
    }
  }
  return wants.toReversed()
}

type Search = { readonly wants: readonly Want[]; left: number; tried: number }
type Point = { readonly fleet: IndexedFleet; readonly index: number; readonly node: number | undefined }
/** Seats are listed from the last to the first. */
type Found = { readonly fleet: IndexedFleet; readonly seats: Seat[] }

function seat(search: Search, { fleet, index, node }: Point): Found | undefined {
  const want = search.wants[index]
  if (want === undefined) return { fleet, seats: [] }
  const led = new Set<string>()
  for (const room of findRooms(fleet, { ...want, node: want.first ? undefined : node })) {
    if (led.size > 0 && led.has(roomLikeness(fleet, want, room))) continue
    search.left -= 1
    if (search.left <= 0) return undefined
    search.tried += 1
    const found = seat(search, {
      fleet: taken(fleet, want, room),
      index: index + 1,
      node: fleet.frame.nodeOf[room.gpu],
    })
    if (found !== undefined) {
      const { space, slot, rank } = room
      found.seats.push({ pod: want.pod.id, gpu: space.gpu.id, slot, isThere: rank === 0 })
      return found
    }
    if (search.left <= 0) return undefined
    led.add(roomLikeness(fleet, want, room))
  }
  return undefined
}

function taken(fleet: IndexedFleet, want: Want, room: FoundRoom): IndexedFleet {
  const next = fleet.fork()
  next.set(room.space)
  if (want.first) next.host(room.space.node.name, want.pod, 1)
  return next
}

/** Equal for rooms that leave the same: of GPUs that are alike, in nodes that are alike, one is enough. */
function roomLikeness(fleet: IndexedFleet, { first, demand }: Want, { gpu, option }: FoundRoom): string {
  const space = fleet.at(gpu)
  const kind = space === undefined ? '' : fleet.frame.kinds.of(space).id
  const node = first ? nodeLikeness(fleet, fleet.frame.nodeOf[gpu] ?? -1, demand) : ''
  return `${kind} ${option} ${node}`
}
