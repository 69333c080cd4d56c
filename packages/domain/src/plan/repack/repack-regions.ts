import type { GpuId, GpuNode } from '../../cluster/node.ts'
import { unsoundGpu, unsoundNode } from '../../cluster/soundness.ts'
import type { PodId } from '../../cluster/workload.ts'
import { profileOf, type MigProfile } from '../../gpu/board.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import { placementMask } from '../../gpu/layout.ts'
import { compareText } from '../../units.ts'
import { WHOLE_GPU, WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import type { KindQuestion } from '../../fleet/index-tables.ts'
import { leftOn, roomByRecut, roomsBeside } from '../../fleet/find-rooms.ts'
import type { IndexedFleet } from '../../fleet/indexed-fleet.ts'
import type { GpuSpace } from '../../fleet/gpu-space.ts'

/** What should become free. Without a model or node any will do. */
export type RepackGoal =
  /** A GPU that nobody holds; out of MIG mode where mig-manager cuts it, so that it can be asked for whole. */
  | { readonly kind: 'free-gpu'; readonly model?: string; readonly node?: string }
  /** A node without GPU pods. */
  | { readonly kind: 'free-node'; readonly pool?: string; readonly node?: string }
  /** Room for one more instance. */
  | { readonly kind: 'room-for'; readonly model?: string; readonly profile: ProfileName; readonly node?: string }

/** One place that would do, and the pods in the way. */
export type Region = {
  readonly id: string
  readonly node: string
  readonly gpus: readonly GpuId[]
  readonly pods: readonly PodId[]
  /** Where on the GPU, when it is a part of one. */
  readonly start: number | undefined
  /** Of regions with equally many pods the lower one changes less. */
  readonly rank: number
  /** The fleet with the region taken, once the pods are lifted from it. */
  take(lifted: IndexedFleet): void
}

/** Holds the room that the goal asks for, so that no displaced pod takes it. */
export const RESERVED = ''

/** Every region that would do, those with fewest pods first. */
export const regionsOf = (fleet: IndexedFleet, goal: RepackGoal): readonly Region[] => [
  ...regionsInOrder(fleet, goal, { holder: RESERVED, takes: () => true }),
]

export type RegionFor = {
  /** Who the room is for. */
  readonly holder: PodId
  /** Whether a node, by its number, would do. */
  readonly takes: (node: number) => boolean
}

/** Every region that would do, as it is asked for, those with fewest pods first. */
export function* regionsInOrder(
  fleet: IndexedFleet,
  goal: RepackGoal,
  { holder, takes }: RegionFor,
): Generator<Region, void> {
  if (goal.kind === 'free-node') {
    yield* nodeRegions(fleet, goal)
    return
  }
  const { nodeOf, nodes } = fleet.frame
  const isMeant = (gpu: number): boolean => {
    const node = nodeOf[gpu] ?? -1
    if (!takes(node) || (goal.node !== undefined && nodes[node]?.name !== goal.node)) return false
    return goal.model === undefined || fleet.at(gpu)?.gpu.model === goal.model
  }
  const kindly: KindQuestion = {
    name: goal.kind === 'free-gpu' ? `free-gpu ${holder === RESERVED}` : `room-for ${goal.profile}`,
    of: (like) => regionsOn(like, goal, holder).map(({ pods, rank }) => ({ first: pods.length, second: rank })),
  }
  for (const { gpu, option } of fleet.options(kindly, isMeant, goal.kind === 'free-gpu' ? '' : '@')) {
    const space = fleet.at(gpu)
    const region = space === undefined ? undefined : regionsOn(space, goal, holder)[option]
    if (region !== undefined) yield region
  }
}

/** Regions of one GPU, by id. */
export function regionsOn(space: GpuSpace, goal: Exclude<RepackGoal, { kind: 'free-node' }>, holder: PodId): Region[] {
  if (!space.open) return []
  if (goal.kind === 'free-gpu') return canBeWhole(space, holder) ? [gpuRegion(space, holder)] : []
  return roomRegions(space, goal.profile, holder).toSorted((a, b) => compareText(a.id, b.id))
}

/** A pod cannot be given a whole GPU that stays in MIG mode, and nothing of ours takes a GPU of a DRA driver out of it. */
const canBeWhole = ({ slots, actuator, gpu, board }: GpuSpace, holder: PodId): boolean =>
  slots.every(({ shared }) => !shared) &&
  (board !== undefined || !gpu.migEnabled) &&
  (holder === RESERVED || actuator === 'mig-manager' || !gpu.migEnabled)

const holdersOf = (space: GpuSpace): PodId[] => [...new Set(space.slots.flatMap(({ pods }) => pods))].toSorted()

function gpuRegion(space: GpuSpace, holder: PodId): Region {
  const isCut = space.slots.some(({ placement }) => placement !== undefined) || space.gpu.migEnabled
  const whole = {
    profile: WHOLE_GPU,
    resource: WHOLE_GPU_RESOURCE,
    placement: undefined,
    partition: isCut ? undefined : space.slots[0]?.partition,
    shared: false,
    pods: [holder],
  }
  return {
    id: space.gpu.id,
    node: space.node.name,
    gpus: [space.gpu.id],
    pods: holdersOf(space),
    start: undefined,
    rank: isCut ? 1 : 0,
    take: (lifted) => lifted.set({ ...space, slots: [whole], changed: isCut }),
  }
}

export function nodeRegions(
  fleet: IndexedFleet,
  { pool, node: only }: Extract<RepackGoal, { kind: 'free-node' }>,
): Region[] {
  const { nodes, gpusOf } = fleet.frame
  const regions = nodes.flatMap((node, number): Region[] => {
    const { name, pool: own } = node
    const gpus = gpusOf[number] ?? []
    if (gpus.length === 0 || (only !== undefined && name !== only) || (pool !== undefined && own !== pool)) return []
    // What is broken saves nothing by going, and what runs there cannot be moved by asking.
    if (whyNotFreed(node) !== undefined) return []
    return [
      nodeRegion(
        name,
        gpus.flatMap((gpu) => fleet.at(gpu) ?? []),
      ),
    ]
  })
  return regions.toSorted((a, b) => a.pods.length - b.pods.length || compareText(a.node, b.node))
}

/** Why a node is not freed so that it can be removed, in sentences; undefined where it may be. */
export const whyNotFreed = (node: GpuNode): string | undefined =>
  unsoundNode(node) ?? node.gpus.map(unsoundGpu).find((because) => because !== undefined)

const nodeRegion = (node: string, spaces: readonly GpuSpace[]): Region => ({
  id: node,
  node,
  gpus: spaces.map(({ gpu }) => gpu.id),
  pods: [...new Set(spaces.flatMap(holdersOf))].toSorted(),
  start: undefined,
  rank: 0,
  take: (lifted) => {
    for (const space of spaces) lifted.set({ ...space, slots: [], open: false })
  },
})

function roomRegions(space: GpuSpace, name: ProfileName, holder: PodId): Region[] {
  const profile = space.board === undefined ? undefined : profileOf(space.board, name)
  if (profile === undefined || space.node.mig.strategy !== 'mixed') return []
  const region = (pods: readonly PodId[], start: number | undefined): Region => ({
    id: `${space.gpu.id}@${start ?? ''}`,
    node: space.node.name,
    gpus: [space.gpu.id],
    pods,
    start,
    rank: rankOf(space),
    take: (lifted) => takeRoom(lifted, { space, profile, start, holder }),
  })
  const idle = space.slots.find((slot) => slot.profile === profile.name && slot.pods.length === 0)
  if (idle !== undefined) return [{ ...region([], idle.placement?.start), rank: 0 }]
  if (space.actuator === 'mig-manager') return [region(holdersOf(space), undefined)]
  if (!space.gpu.migEnabled) return []
  return profile.starts.map((start) => {
    const mask = placementMask({ start, size: profile.size })
    const inTheWay = space.slots.filter((slot) => covers(slot.placement, mask))
    return region([...new Set(inTheWay.flatMap(({ pods }) => pods))].toSorted(), start)
  })
}

const covers = (placement: GpuSpace['slots'][number]['placement'], mask: number): boolean =>
  placement !== undefined && (placementMask(placement) & mask) !== 0

/** The least useful GPU is taken first; a whole GPU last. */
const rankOf = (space: GpuSpace): number => (space.gpu.migEnabled ? 1 : 100) + leftOn(space)

type Taking = {
  readonly space: GpuSpace
  readonly profile: MigProfile
  readonly start: number | undefined
  readonly holder: PodId
}

function takeRoom(lifted: IndexedFleet, { space, profile, start, holder }: Taking): void {
  const now = lifted.space(space.gpu.id) ?? space
  const idle = now.slots.find((slot) => slot.profile === profile.name && slot.pods.length === 0)
  if (idle !== undefined) {
    lifted.set({ ...now, slots: now.slots.map((slot) => (slot === idle ? { ...slot, pods: [holder] } : slot)) })
    return
  }
  const rooms = now.actuator === 'dra' ? roomsBeside(now, profile, holder) : roomByRecut(now, profile, holder)
  const room = rooms.find(({ slot }) => start === undefined || slot.placement?.start === start)
  if (room !== undefined) lifted.set(room.space)
}
