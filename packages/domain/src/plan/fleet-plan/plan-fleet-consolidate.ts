import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuId } from '../../cluster/node.ts'
import type { Pod } from '../../cluster/workload.ts'
import type { GpuTarget, PodMove } from '../words/action.ts'
import { whyNotMoved } from '../repack/may-move.ts'
import { tryInOrder } from '../repack/repack.ts'
import { repackHoldings } from '../repack/repack-answer.ts'
import { regionsOf } from '../repack/repack-regions.ts'
import type { IndexedFleet } from '../../fleet/indexed-fleet.ts'
import type { GpuSpace } from '../../fleet/gpu-space.ts'
import type { Board, MigProfile } from '../../gpu/board.ts'
import { resourceOfProfile } from '../../gpu/profile-name.ts'
import { heldSlots } from './plan-fleet-problem.ts'

/** A fleet with fewer GPUs in use, and who moved for it. */
export type Consolidation = {
  readonly fleet: IndexedFleet
  readonly moved: readonly Pod[]
  readonly moves: readonly PodMove[]
  readonly freed: readonly GpuId[]
  /** Why it ends there. */
  readonly because: string
}

/**
 * Empties cut GPUs one after another, each time the one that takes fewest moves, into room on GPUs that are in use anyway,
 * until the limit of moves is reached or no GPU can be emptied. Empty GPUs take nobody: that would free none.
 */
export function consolidate(
  snapshot: ClusterSnapshot,
  from: { readonly fleet: IndexedFleet; readonly moved: readonly Pod[] },
  limit: number,
): Consolidation {
  const holdings = repackHoldings(snapshot, from.fleet)
  const first = withoutStrays(from.fleet)
  // Opening GPUs makes tables again, so it is done only where one that somebody holds was closed.
  const reopens = first
    .spaces()
    .some((space) => !space.open && heldSlots(space).length > 0 && isOpenIn(from.fleet, space))
  const fixed = fixedPods(snapshot)
  const movable = new Set(snapshot.allocations.flatMap(({ pod }) => (holdings.has(pod) && !fixed.has(pod) ? pod : [])))
  let state: Consolidation = { fleet: first, moved: from.moved, moves: [], freed: [], because: '' }
  for (;;) {
    const { fleet, moved, moves, freed } = state
    const settled = new Set(moved.map(({ id }) => id))
    const regions = regionsOf(reopens ? openAs(from.fleet, fleet) : fleet, { kind: 'free-gpu' }).filter(
      ({ gpus, pods }) =>
        pods.length > 0 &&
        pods.every((id) => movable.has(id) && !settled.has(id)) &&
        gpus.every((gpu) => isCut(fleet, gpu)),
    )
    const answer = tryInOrder(regions, { snapshot, fleet, holdings, moved }, limit - moved.length)
    if (answer.kind === 'refused') return { ...state, because: regions.length === 0 ? noneLeft(fixed) : answer.because }
    const gone = answer.displaced.flatMap((id) => fleet.pods.get(id) ?? [])
    state = {
      fleet: answer.fleet,
      moved: [...moved, ...gone],
      moves: [...moves, ...answer.moves],
      freed: [...freed, ...answer.freed],
      because: '',
    }
  }
}

/** Pods that may not move, each with the reason: a GPU that one of them holds cannot be emptied. */
function fixedPods(snapshot: ClusterSnapshot): ReadonlyMap<string, string> {
  const held = new Set(snapshot.allocations.map(({ pod }) => pod))
  return new Map(
    snapshot.pods.flatMap((pod) => {
      const because = held.has(pod.id) ? whyNotMoved(snapshot, [pod]) : undefined
      return because === undefined ? [] : [[pod.id, because] as const]
    }),
  )
}

function noneLeft(fixed: ReadonlyMap<string, string>): string {
  const [example] = fixed.values()
  const such = example === undefined ? '' : `: ${example}`
  return `every partitioned GPU in use holds a pod that must stay${such}`
}

function isCut(fleet: IndexedFleet, id: GpuId): boolean {
  const space = fleet.space(id)
  return space !== undefined && space.gpu.migEnabled && space.node.mig.strategy === 'mixed'
}

/**
 * The fleet in which nobody is sent to an empty GPU, nor to a node with one that a DRA driver would cut for anyone who
 * comes: which device of a node a pod gets, the driver decides and no plan. Under mig-manager `withoutOffers` sees to
 * that.
 */
function withoutStrays(fleet: IndexedFleet): IndexedFleet {
  const own = fleet.fork()
  const spaces = fleet.spaces()
  const drawing = new Set(
    spaces.flatMap((space) => (isEmptyAndCut(space) && space.actuator === 'dra' ? space.node : [])),
  )
  for (const space of spaces)
    if (drawing.has(space.node) || heldSlots(space).length === 0) own.set({ ...space, open: false })
  return own
}

const isEmptyAndCut = (space: GpuSpace): boolean => space.open && space.gpu.migEnabled && heldSlots(space).length === 0

/**
 * What empty GPUs become on nodes that take moved pods in, where they offer what these ask for: one instance as large as the
 * board, which none of them asks for. Else the device plugin could give out an empty GPU as well as the one in use.
 */
export function withoutOffers(
  fleet: IndexedFleet,
  { moved, moves }: { readonly moved: readonly Pod[]; readonly moves: readonly PodMove[] },
): readonly GpuTarget[] {
  const wanted = new Set(moved.flatMap(({ requests }) => requests.map(({ resource }) => resource)))
  const receivers = new Set(moves.flatMap(({ to }) => (to === undefined ? [] : (fleet.space(to.gpu)?.node.name ?? []))))
  return fleet.spaces().flatMap((space) => {
    const draws = space.slots.some(({ resource }) => wanted.has(resource))
    if (!receivers.has(space.node.name) || !draws || space.changed || space.actuator === 'dra') return []
    const whole = space.board === undefined || !isEmptyAndCut(space) ? undefined : largestOf(space.board)
    if (whole === undefined || wanted.has(resourceOfProfile(whole.name))) return []
    const layout = [{ profile: whole.name, placement: { start: 0, size: whole.size } }]
    return [{ gpu: space.gpu.id, migEnabled: true, layout }]
  })
}

const largestOf = ({ profiles }: Board): MigProfile | undefined =>
  profiles
    .filter(({ name }) => !/[+-]/u.test(name))
    .toSorted((a, b) => b.size - a.size || b.computeSlices - a.computeSlices)[0]

const isOpenIn = (fleet: IndexedFleet, { gpu }: GpuSpace): boolean => fleet.space(gpu.id)?.open === true

/** A fleet whose GPUs are open as in another: what takes nobody may still be emptied. */
export function openAs(other: IndexedFleet, fleet: IndexedFleet): IndexedFleet {
  const own = fleet.fork()
  for (const space of fleet.spaces()) {
    const open = other.space(space.gpu.id)?.open ?? space.open
    if (open !== space.open) own.set({ ...space, open })
  }
  return own
}
