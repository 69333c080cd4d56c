import type { GpuNode } from '../../cluster/node.ts'
import type { Pod } from '../../cluster/workload.ts'
import { placeAt, placementMask } from '../../gpu/layout.ts'
import type { MigProfile } from '../../gpu/board.ts'
import { arrange } from '../../gpu/infer-placements.ts'
import { bestCompletion, placeable } from '../../gpu/occupancy.ts'
import { resourceOfProfile } from '../../gpu/profile-name.ts'
import { compareText } from '../../units.ts'
import { nodeRefusal } from '../place/place-index-filter.ts'
import type { RepackFleet, RepackSlot, RepackSpace } from './repack-space.ts'

/** A way to give a pod one partition: the GPU as it is afterwards. */
export type RepackRoom = {
  readonly space: RepackSpace
  readonly slot: RepackSlot
  /** 0: it is there; 1: DRA makes it; 2: an empty GPU is cut anew; 3: an empty whole GPU is put into MIG mode. */
  readonly rank: 0 | 1 | 2 | 3
}

export type RoomQuestion = {
  readonly pod: Pod
  readonly resource: string
  /** Undefined: any GPU model that offers the resource. */
  readonly model: string | undefined
  /** Undefined: any node. */
  readonly node: string | undefined
}

/** Every different room for one partition of a pod; the least change first, then the tightest fit. */
export function findRooms(fleet: RepackFleet, question: RoomQuestion): readonly RepackRoom[] {
  const rooms: RepackRoom[] = []
  for (const space of fleet.spaces()) {
    if (!mayCome(fleet, space, question)) continue
    const there = existingRoom(fleet, space, question)
    if (there === undefined) rooms.push(...newRooms(space, question))
    else rooms.push(there)
  }
  return rooms
    .map((room) => ({ room, left: leftOn(room.space) }))
    .toSorted(
      (a, b) => a.room.rank - b.room.rank || a.left - b.left || compareText(a.room.space.gpu.id, b.room.space.gpu.id),
    )
    .map(({ room }) => room)
}

function mayCome(
  fleet: RepackFleet,
  { open, gpu, node }: RepackSpace,
  { pod, model, node: only }: RoomQuestion,
): boolean {
  if (!open || (model !== undefined && gpu.model !== model) || (only !== undefined && node.name !== only)) return false
  return nodeTakes(fleet, node, pod)
}

/** Whether the node's labels, taints, CPU and memory let the pod come. */
export function nodeTakes(fleet: RepackFleet, node: GpuNode, { scheduling }: Pod): boolean {
  if (nodeRefusal(scheduling, node.room) !== undefined) return false
  const { cpuMilli, memory } = fleet.hostLeft(node.name)
  return (
    (cpuMilli === undefined || scheduling.cpuMilli <= cpuMilli) && (memory === undefined || scheduling.memory <= memory)
  )
}

function existingRoom(fleet: RepackFleet, space: RepackSpace, { pod, resource }: RoomQuestion): RepackRoom | undefined {
  const slot = space.slots.find((each) => each.resource === resource && each.pods.length === 0)
  if (slot === undefined || (slot.shared && !sharesTenant(fleet, space, pod))) return undefined
  return { rank: 0, ...seated(space, slot, pod) }
}

/** Replicas of one GPU are not isolated from one another: one namespace only. */
const sharesTenant = (fleet: RepackFleet, { slots }: RepackSpace, { namespace }: Pod): boolean =>
  slots.every(({ pods }) => pods.every((id) => fleet.pods.get(id)?.namespace === namespace))

function seated(space: RepackSpace, slot: RepackSlot, pod: Pod): Pick<RepackRoom, 'space' | 'slot'> {
  const taken = { ...slot, pods: [...slot.pods, pod.id] }
  return { slot: taken, space: { ...space, slots: space.slots.map((each) => (each === slot ? taken : each)) } }
}

function newRooms(space: RepackSpace, { pod, resource }: RoomQuestion): RepackRoom[] {
  const profile = space.board?.profiles.find(({ name }) => resourceOfProfile(name) === resource)
  if (profile === undefined || space.node.mig.strategy !== 'mixed') return []
  return space.actuator === 'dra' ? roomsBeside(space, profile, pod.id) : roomByRecut(space, profile, pod.id)
}

/** DRA: a new instance where nothing is held; idle instances in the way go. */
export function roomsBeside(space: RepackSpace, profile: MigProfile, pod: string): RepackRoom[] {
  if (space.board === undefined || !space.gpu.migEnabled) return []
  const held = space.slots.flatMap(({ pods, placement, profile: name }) =>
    pods.length > 0 && placement !== undefined ? [{ profile: name, placement }] : [],
  )
  return placeable(space.board, held, profile).map((start): RepackRoom => {
    const { placement } = placeAt(profile, start)
    const mask = placementMask(placement)
    const slot = newSlot(profile, pod, placement)
    const rest = space.slots.filter(
      (each) => each.placement === undefined || (placementMask(each.placement) & mask) === 0,
    )
    return { rank: 1, slot, space: { ...space, changed: true, slots: [...rest, slot] } }
  })
}

/** mig-manager: a GPU that nobody holds is cut anew; one that this plan cuts anyway takes more. */
export function roomByRecut(space: RepackSpace, profile: MigProfile, pod: string): RepackRoom[] {
  const { board, slots, gpu } = space
  if (board === undefined || slots.some(({ pods, partition }) => pods.length > 0 && partition !== undefined)) return []
  const wanted = [...slots.filter(({ pods }) => pods.length > 0), newSlot(profile, pod, undefined)]
  const idle = slots.filter(({ pods, placement }) => pods.length === 0 && placement !== undefined)
  const arranged = arrange(
    board,
    wanted.map((slot) => slot.profile),
  )
  if (arranged.kind === 'infeasible') return []
  // What stood idle stays where it still fits: somebody may count on it.
  let kept = wanted
  let layout = arranged.layout
  for (const slot of idle) {
    const more = arrange(
      board,
      [...kept, slot].map((each) => each.profile),
    )
    if (more.kind === 'infeasible') continue
    kept = [...kept, { ...slot, partition: undefined }]
    layout = more.layout
  }
  const placed = kept.map((slot, index) => ({ ...slot, placement: layout[index]?.placement }))
  const slot = placed[wanted.length - 1]
  if (slot === undefined) return []
  return [{ rank: gpu.migEnabled ? 2 : 3, slot, space: { ...space, changed: true, slots: placed } }]
}

const newSlot = (profile: MigProfile, pod: string, placement: RepackSlot['placement']): RepackSlot => ({
  profile: profile.name,
  resource: resourceOfProfile(profile.name),
  placement,
  partition: undefined,
  shared: false,
  pods: [pod],
})

/** Compute slices that could still be taken on the GPU: a room that leaves fewer spares the others. */
export function leftOn({ board, slots }: RepackSpace): number {
  if (board === undefined) return 0
  const held = slots.flatMap(({ pods, placement, profile }) =>
    pods.length > 0 && placement !== undefined ? [{ profile, placement }] : [],
  )
  return bestCompletion(board, held)
}
