import { mib } from '../../units.ts'
import type { GpuId } from '../../cluster/node.ts'
import type { Pod, PodId } from '../../cluster/workload.ts'
import { findRooms } from './find-rooms.ts'
import type { RepackRoom } from './find-rooms.ts'
import type { RepackFleet, RepackSlot, RepackSpace } from './repack-space.ts'

/** A pod that needs room: each partition that it asks for, all on one node. */
export type Seeker = {
  readonly pod: Pod
  readonly resources: readonly string[]
  readonly model: string | undefined
}

export type Seat = { readonly pod: PodId; readonly gpu: GpuId; readonly slot: RepackSlot }

export type Seating =
  | { readonly kind: 'seated'; readonly fleet: RepackFleet; readonly seats: readonly Seat[] }
  /** `exact`: every way was tried. */
  | { readonly kind: 'none'; readonly exact: boolean }

/** How many rooms a search may try before it gives up without a proof. */
const ROOMS_TRIED = 20_000

/** Finds room for all of these pods at once, by search: the first room of each kind, deeper where that led nowhere. */
export function seatPods(fleet: RepackFleet, seekers: readonly Seeker[]): Seating {
  const wants = seekers.flatMap(({ pod, resources, model }) =>
    resources.map((resource, index) => ({ pod, resource, model, first: index === 0 })),
  )
  let tried = 0
  const found = seat(fleet, 0, undefined)
  if (found !== undefined) return { kind: 'seated', ...found }
  return { kind: 'none', exact: tried < ROOMS_TRIED }

  function seat(
    from: RepackFleet,
    index: number,
    node: string | undefined,
  ): { fleet: RepackFleet; seats: readonly Seat[] } | undefined {
    const want = wants[index]
    if (want === undefined) return { fleet: from, seats: [] }
    const only = want.first ? undefined : node
    // The node's CPU and memory are taken with the first partition.
    const asked = want.first
      ? want.pod
      : { ...want.pod, scheduling: { ...want.pod.scheduling, cpuMilli: 0, memory: mib(0) } }
    for (const room of differentRooms(from, findRooms(from, { ...want, pod: asked, node: only }))) {
      tried += 1
      if (tried > ROOMS_TRIED) return undefined
      const next = from.fork()
      next.set(room.space)
      if (want.first) next.host(room.space.node.name, want.pod, 1)
      const rest = seat(next, index + 1, room.space.node.name)
      if (rest === undefined) continue
      return {
        fleet: rest.fleet,
        seats: [{ pod: want.pod.id, gpu: room.space.gpu.id, slot: room.slot }, ...rest.seats],
      }
    }
    return undefined
  }
}

/** Rooms that differ in what they leave: of GPUs that are alike, in nodes that are alike, one is enough. */
function* differentRooms(fleet: RepackFleet, rooms: readonly RepackRoom[]): Generator<RepackRoom> {
  const seen = new Set<string>()
  for (const { space, slot, rank } of rooms) {
    const key = `${likeness(fleet, space)} ${slot.placement?.start}`
    if (seen.has(key)) continue
    seen.add(key)
    yield { space, slot, rank }
  }
}

/** Equal for GPUs that are alike, in nodes that are alike. */
export function likeness(fleet: RepackFleet, space: RepackSpace): string {
  const { cpuMilli, memory } = fleet.hostLeft(space.node.name)
  const mates = space.node.gpus.map(({ id }) => textOf(fleet.space(id))).toSorted()
  const { labels, taints } = space.node.room
  return JSON.stringify([cpuMilli, memory, labels, taints, mates, textOf(space)])
}

const textOf = (space: RepackSpace | undefined): string =>
  space === undefined
    ? ''
    : `${space.gpu.model} ${space.open} ${space.gpu.migEnabled} ${space.actuator} ${space.slots
        .map(
          ({ resource, placement, pods, shared }) =>
            `${resource}@${placement?.start}${shared ? pods.join() : pods.length}`,
        )
        .join(' ')}`
