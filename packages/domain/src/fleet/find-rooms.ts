import { WHOLE_GPU, WHOLE_GPU_RESOURCE } from '../gpu/whole-gpu.ts'
import { fitsIn } from '../cluster/node-rules.ts'
import { onceFor } from '../once-for.ts'
import type { Pod, PodId } from '../cluster/workload.ts'
import { placeAt, placementMask } from '../gpu/layout.ts'
import type { Board, MigProfile } from '../gpu/board.ts'
import { arrange } from '../gpu/infer-placements.ts'
import { bestCompletion, placeable } from '../gpu/occupancy.ts'
import { resourceOfProfile } from '../gpu/profile-name.ts'
import type { KindQuestion } from './index-tables.ts'
import type { Choice } from './options-in-order.ts'
import type { IndexedFleet } from './indexed-fleet.ts'
import type { GpuSlot, GpuSpace } from './gpu-space.ts'

/** A way to give a pod one partition: the GPU as it is afterwards. */
export type SlotRoom = {
  readonly space: GpuSpace
  readonly slot: GpuSlot
  /** 0: it is there; 1: DRA makes it; 2: an empty GPU is cut again; 3: an empty whole GPU is put into MIG mode. */
  readonly rank: 0 | 1 | 2 | 3
}

export type RoomQuestion = {
  readonly pod: Pod
  readonly resource: string
  /** Undefined: any GPU model that offers the resource. */
  readonly model: string | undefined
  /** The number of the node that has taken the pod already; undefined: any node. */
  readonly node: number | undefined
  /** How many such pods each node may fit at most; undefined: not known. */
  readonly fits: Int32Array | undefined
}

/** A room with the GPU's number, and its place among the GPU's rooms. */
export type FoundRoom = SlotRoom & Choice

/** Every room for one partition of a pod, as it is asked for; the least change first, then the tightest fit, then by id. */
export function* findRooms(fleet: IndexedFleet, question: RoomQuestion): Generator<FoundRoom, void> {
  const kindly = roomsOfKind(question.resource)
  const choices = question.node === undefined ? inFleet(fleet, question, kindly) : onNode(fleet, question, kindly)
  for (const { gpu, option } of choices) {
    const space = fleet.at(gpu)
    if (space === undefined || !sharesTenant(fleet, space, question)) continue
    const room = roomsOn(space, question.resource, question.pod.id)[option]
    if (room !== undefined) yield { ...room, gpu, option }
  }
}

const roomsOfKind = (resource: string): KindQuestion => ({
  name: `room ${resource}`,
  of: (like) => roomsOn(like, resource, '').map(({ rank, space }) => ({ first: rank, second: leftOn(space) })),
})

function inFleet(fleet: IndexedFleet, question: RoomQuestion, kindly: KindQuestion): Iterable<Choice> {
  const { nodeOf } = fleet.frame
  const takes = nodesTaking(fleet, question.pod)
  const { model, fits } = question
  return fleet.options(kindly, (gpu) => {
    const node = nodeOf[gpu] ?? -1
    if (fits !== undefined && fits[node] === 0) return false
    return takes(node) && (model === undefined || fleet.at(gpu)?.gpu.model === model)
  })
}

/** The node has taken the pod already, with what it asks beside GPUs. */
function onNode(fleet: IndexedFleet, { node, model }: RoomQuestion, kindly: KindQuestion): Iterable<Choice> {
  return (fleet.frame.gpusOf[node ?? -1] ?? [])
    .filter((gpu) => model === undefined || fleet.at(gpu)?.gpu.model === model)
    .flatMap((gpu) => fleet.optionsAt(gpu, kindly).map((each, option) => ({ ...each, gpu, option })))
    .toSorted((a, b) => a.first - b.first || a.second - b.second || a.gpu - b.gpu || a.option - b.option)
}

/** Tells whether a node's labels, taints, CPU and memory let the pod come; each node is looked at once. */
export function nodesTaking(fleet: IndexedFleet, { scheduling }: Pod): (node: number) => boolean {
  const allowed = fleet.frame.allowed(scheduling)
  const verdicts = new Int8Array(allowed.length)
  return (node) => {
    if (allowed[node] !== 1) return false
    if (verdicts[node] === 0) {
      const { cpuMilli, memory } = fleet.hostAt(node)
      verdicts[node] = fitsIn(scheduling.cpuMilli, cpuMilli) && fitsIn(scheduling.memory, memory) ? 1 : -1
    }
    return verdicts[node] === 1
  }
}

/** Rooms on one GPU, whoever holds the rest of it. */
export function roomsOn(space: GpuSpace, resource: string, pod: PodId): readonly SlotRoom[] {
  if (!space.open) return []
  const slot = space.slots.find((each) => each.resource === resource && each.pods.length === 0)
  if (slot === undefined) return newRooms(space, resource, pod)
  const taken = { ...slot, pods: [pod] }
  const slots = space.slots.map((each) => (each === slot ? taken : each))
  return [{ rank: 0, slot: taken, space: { ...space, slots } }]
}

/** Replicas of one GPU are not isolated: nobody is sent to those of another namespace. Who waits goes there unasked. */
const sharesTenant = (fleet: IndexedFleet, { slots }: GpuSpace, { pod: { namespace, node } }: RoomQuestion): boolean =>
  node === undefined ||
  slots.every(({ shared, pods }) => !shared || pods.every((id) => fleet.pods.get(id)?.namespace === namespace))

function newRooms(space: GpuSpace, resource: string, pod: PodId): SlotRoom[] {
  if (resource === WHOLE_GPU_RESOURCE && space.actuator === 'dra' && space.slots.length === 0)
    return [wholeByDra(space, pod)]
  const profile = space.board === undefined ? undefined : profileByResource(space.board, resource)
  if (profile === undefined || space.node.mig.strategy !== 'mixed') return []
  return space.actuator === 'dra' ? roomsBeside(space, profile, pod) : roomByRecut(space, profile, pod)
}

/** A GPU in MIG mode without instances can be claimed whole. */
function wholeByDra(space: GpuSpace, pod: PodId): SlotRoom {
  const whole = { profile: WHOLE_GPU, resource: WHOLE_GPU_RESOURCE, placement: undefined, partition: undefined }
  const slot: GpuSlot = { ...whole, shared: false, pods: [pod] }
  return { rank: 1, slot, space: { ...space, slots: [slot] } }
}

const byResource = onceFor(
  ({ profiles }: Board) => new Map(profiles.map((profile) => [resourceOfProfile(profile.name), profile])),
)

/** The board's profile that pods ask for by this resource. */
export const profileByResource = (board: Board, resource: string): MigProfile | undefined =>
  byResource(board).get(resource)

/** DRA: a new instance where nothing is held; idle instances in the way go. Beside one that is held whole there is none. */
export function roomsBeside(space: GpuSpace, profile: MigProfile, pod: string): SlotRoom[] {
  if (space.board === undefined || !space.gpu.migEnabled) return []
  if (space.slots.some(({ pods, placement }) => pods.length > 0 && placement === undefined)) return []
  const held = space.slots.flatMap(({ pods, placement, profile: name }) =>
    pods.length > 0 && placement !== undefined ? [{ profile: name, placement }] : [],
  )
  return placeable(space.board, held, profile).map((start): SlotRoom => {
    const { placement } = placeAt(profile, start)
    const mask = placementMask(placement)
    const slot = newSlot(profile, pod, placement)
    const rest = space.slots.filter(
      (each) => each.placement === undefined || (placementMask(each.placement) & mask) === 0,
    )
    return { rank: 1, slot, space: { ...space, changed: true, slots: [...rest, slot] } }
  })
}

/** mig-manager: a GPU that nobody holds is cut again; one that this plan cuts anyway takes more. */
export function roomByRecut(space: GpuSpace, profile: MigProfile, pod: string): SlotRoom[] {
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

const newSlot = (profile: MigProfile, pod: string, placement: GpuSlot['placement']): GpuSlot => ({
  profile: profile.name,
  resource: resourceOfProfile(profile.name),
  placement,
  partition: undefined,
  shared: false,
  pods: [pod],
})

/** Compute slices that could still be taken on the GPU: a room that leaves fewer spares the others. */
export function leftOn({ board, slots }: GpuSpace): number {
  if (board === undefined) return 0
  const held = slots.flatMap(({ pods, placement, profile }) =>
    pods.length > 0 && placement !== undefined ? [{ profile, placement }] : [],
  )
  return bestCompletion(board, held)
}
