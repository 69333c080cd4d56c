import { plural } from '../../words.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuId, GpuNode } from '../../cluster/node.ts'
import { nodeRefusal } from '../../cluster/node-rules.ts'
import type { Pod, PodId } from '../../cluster/workload.ts'
import { compareText } from '../../units.ts'
import type { PodMove } from '../words/action.ts'
import { WHOLE_GPU, WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import { resourceOfProfile } from '../../gpu/profile-name.ts'
import { gpusNow } from '../reconfigure/gpus-now.ts'
import { reconfigure } from '../reconfigure/reconfigure.ts'
import type { GpuNow, PlannedMove, Reconfiguration } from '../reconfigure/reconfigure-problem.ts'
import { repackHoldings } from '../repack/repack-answer.ts'
import type { IndexedFleet } from '../../fleet/indexed-fleet.ts'
import { RESERVED } from '../repack/repack-regions.ts'
import type { GpuSlot, GpuSpace } from '../../fleet/gpu-space.ts'
import { unblockStep } from '../repack/unblock.ts'
import type { FleetSearch } from './fleet-question.ts'
import type { FleetDraft } from './plan-fleet-answer.ts'
import type { Consolidation } from './plan-fleet-consolidate.ts'
import { draftOf } from './plan-fleet-cost.ts'
import { heldSlots } from './plan-fleet-problem.ts'

/**
 * Starts what waits, then packs the GPUs that this leaves alone as a whole-number program finds best: fewest in use for so
 * many moves, and of these the fewest moves. Undefined where it finds nothing. GPUs of DRA drivers are left to the quick search.
 */
export function draftExactCost(search: FleetSearch): FleetDraft | undefined {
  const { searched, maxDisplaced } = search
  const step = unblockStep(searched, maxDisplaced)
  const unplaced = nodesWithUnplaced(searched)
  const open = gpusNow(searched).filter(
    (gpu) => canBePacked(gpu, step.fleet) && !unplaced.has(step.fleet.space(gpu.gpu)?.node.name ?? ''),
  )
  const staying = beyondBudgets(searched, new Set(step.moved.map(({ id }) => id)))
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const gpus = open.map((gpu) => withStaying(gpu, staying))
    const answer = reconfigure({ gpus, demands: [] }, { goal: GOAL, mostDisplaced: maxDisplaced - step.moved.length })
    if (answer.kind !== 'found' || answer.moves.length === 0) return undefined
    const packed = packedBy(answer, gpus, { search, step })
    if (packed === undefined) return undefined
    if (packed.homeless.length === 0) return draftOf(search, step, packed)
    // Those that need most come first; without them others may find room, so not all stay at once.
    for (const pod of packed.homeless.slice(0, Math.ceil(packed.homeless.length / 3))) staying.add(pod)
  }
  return undefined
}

const GOAL = 'fewest-displaced-at-fewest-gpus'

/** The program counts instances; pods that no node with one takes, for its CPU, memory or taints, stay in the next round. */
const MOST_ROUNDS = 12

/** Nodes with a pod of which nobody says what it holds: any change there evicts it, which no count foresees. */
function nodesWithUnplaced({ allocations, pods }: ClusterSnapshot): ReadonlySet<string> {
  const told = new Set(allocations.flatMap(({ pod, evidence }) => (evidence === 'guess' ? [] : pod)))
  return new Set(pods.flatMap(({ id, node }) => (node === undefined || told.has(id) ? [] : node)))
}

/** In MIG mode under mig-manager, and as it was before work was started. */
function canBePacked({ gpu, actuator, instances }: GpuNow, fleet: IndexedFleet): boolean {
  const space = fleet.space(gpu)
  if (space === undefined || actuator !== 'mig-manager' || space.changed || !space.gpu.migEnabled) return false
  if (space.node.mig.strategy !== 'mixed') return false
  const before = instances.flatMap(({ pod }) => pod ?? []).toSorted()
  const now = heldSlots(space).flatMap(({ pods }) => pods)
  return before.join() === now.toSorted().join()
}

type Found = Extract<Reconfiguration, { readonly kind: 'found' }>
type Around = { readonly search: FleetSearch; readonly step: ReturnType<typeof unblockStep> }

type Packed = Consolidation & { readonly homeless: readonly PodId[] }

/** The fleet as the answer leaves it; undefined where a move finds no instance, which the answer rules out. */
function packedBy(answer: Found, gpus: readonly GpuNow[], { search, step }: Around): Packed | undefined {
  const fleet = step.fleet.fork()
  const holdings = repackHoldings(search.searched, fleet)
  const movers = new Set(answer.moves.map(({ pod }) => pod))
  for (const pod of movers) fleet.lift(pod, holdings.get(pod) ?? [])
  for (const { gpu, layout } of answer.targets) {
    const space = fleet.space(gpu)
    if (space !== undefined) fleet.set({ ...space, changed: true, slots: layout.map(freshSlot) })
  }
  const seats = seated(answer.moves, { gpus, fleet })
  if (seats === undefined) return undefined
  const { moves, homeless } = seats
  const freed = freedBy(gpus, movers, fleet)
  for (const gpu of freed) {
    const space = fleet.space(gpu)
    if (space !== undefined) fleet.set({ ...space, changed: true, slots: [KEPT_FREE] })
  }
  const pods = [...movers].flatMap((id) => fleet.pods.get(id) ?? [])
  const rules = `for ${plural(search.maxDisplaced, 'move')} with pods that must stay left in place`
  const because =
    answer.unproven === undefined
      ? `no layout takes fewer GPUs ${rules}`
      : `no layout was found that takes fewer GPUs ${rules}`
  return { fleet, moved: [...step.moved, ...pods], moves, freed, because, homeless }
}

const freshSlot = ({ profile, placement }: Found['targets'][number]['layout'][number]): GpuSlot => ({
  profile,
  resource: resourceOfProfile(profile),
  placement,
  partition: undefined,
  shared: false,
  pods: [],
})

/** A GPU that is emptied leaves MIG mode, so that it can be asked for whole. */
const KEPT_FREE: GpuSlot = {
  profile: WHOLE_GPU,
  resource: WHOLE_GPU_RESOURCE,
  placement: undefined,
  partition: undefined,
  shared: false,
  pods: [RESERVED],
}

type Seating = { readonly gpus: readonly GpuNow[]; readonly fleet: IndexedFleet }
type Seated = { readonly moves: readonly PodMove[]; readonly homeless: readonly PodId[] }

/**
 * Gives each pod an instance of its profile and class on a node that takes it, those that need most CPU first; the program
 * counts instances and does not look at nodes. `homeless` are those that no such node takes. Undefined where there is no
 * instance, which the answer rules out.
 */
function seated(moves: readonly PlannedMove[], { gpus, fleet }: Seating): Seated | undefined {
  const classOf = new Map(gpus.map(({ gpu, supplyClass }) => [gpu, supplyClass]))
  const wanted = new Set(moves.map(({ to }) => to.gpu))
  const used = gpus.filter(({ gpu }) => wanted.has(gpu) || !isEmpty(fleet.space(gpu)))
  const members = Map.groupBy(used, ({ supplyClass }) => supplyClass)
  const cpu = ({ pod }: PlannedMove): number => fleet.pods.get(pod)?.scheduling.cpuMilli ?? 0
  const seats: PodMove[] = []
  const homeless: PodId[] = []
  for (const move of moves.toSorted((a, b) => cpu(b) - cpu(a) || compareText(a.pod, b.pod))) {
    const { pod: id, from, instance } = move
    const pod = fleet.pods.get(id)
    if (pod === undefined) return undefined
    const own = members.get(classOf.get(move.to.gpu) ?? '') ?? []
    const rooms = own.flatMap(({ gpu }) => roomOn(fleet.space(gpu), instance.profile) ?? [])
    const taking = bestOf(
      rooms.filter(({ node }) => takes(fleet, node, pod)),
      { move, fleet },
    )
    if (taking === undefined) homeless.push(id)
    const space = taking ?? rooms[0]
    if (space === undefined) return undefined
    fleet.set({ ...space, slots: withPod(space.slots, instance.profile, id) })
    fleet.host(space.node.name, pod, 1)
    seats.push({ pod: id, from, to: { gpu: space.gpu.id, profile: instance.profile } })
  }
  return { moves: seats, homeless }
}

/** The GPU of the answer where its node takes the pod, else the one whose node has most CPU left. */
function bestOf(
  rooms: readonly GpuSpace[],
  { move, fleet }: { readonly move: PlannedMove; readonly fleet: IndexedFleet },
): GpuSpace | undefined {
  const left = ({ node }: GpuSpace): number => fleet.hostLeft(node.name).cpuMilli
  return rooms.find(({ gpu }) => gpu.id === move.to.gpu) ?? rooms.toSorted((a, b) => left(b) - left(a))[0]
}

function withPod(slots: readonly GpuSlot[], profile: string, pod: PodId): readonly GpuSlot[] {
  const free = slots.find((slot) => slot.pods.length === 0 && slot.profile === profile)
  return slots.map((slot) => (slot === free ? { ...slot, pods: [pod] } : slot))
}

/** The GPU, where it has an instance of the profile that nobody holds. */
const roomOn = (space: GpuSpace | undefined, profile: string): GpuSpace | undefined =>
  space?.slots.some((slot) => slot.pods.length === 0 && slot.profile === profile) === true ? space : undefined

function takes(fleet: IndexedFleet, node: GpuNode, { scheduling }: Pod): boolean {
  const { cpuMilli, memory } = fleet.hostLeft(node.name)
  return (
    scheduling.cpuMilli <= cpuMilli && scheduling.memory <= memory && nodeRefusal(scheduling, node.room) === undefined
  )
}

/** Of the pods under one disruption budget only as many may move as it allows together; these are taken to stay. */
const beyondBudgets = ({ budgets }: ClusterSnapshot, moved: ReadonlySet<PodId>): Set<PodId> =>
  new Set(
    budgets.flatMap(({ pods, allowed }) => {
      const gone = pods.filter((pod) => moved.has(pod)).length
      return pods.filter((pod) => !moved.has(pod)).slice(Math.max(0, allowed - gone))
    }),
  )

const withStaying = (gpu: GpuNow, staying: ReadonlySet<PodId>): GpuNow => ({
  ...gpu,
  instances: gpu.instances.map((each) =>
    each.pod !== undefined && staying.has(each.pod) ? { ...each, movable: false } : each,
  ),
})

const freedBy = (gpus: readonly GpuNow[], movers: ReadonlySet<string>, fleet: IndexedFleet): readonly GpuId[] =>
  gpus.flatMap(({ gpu, instances }) => {
    const left = instances.some(({ pod }) => pod !== undefined && movers.has(pod))
    return left && isEmpty(fleet.space(gpu)) ? gpu : []
  })

const isEmpty = (space: GpuSpace | undefined): boolean => space !== undefined && heldSlots(space).length === 0

/** How few GPUs the running work could do with under the rules of its pods, and what that takes. */
export function leastWithin(snapshot: ClusterSnapshot): string {
  const gpus = gpusNow(snapshot)
  const answer = reconfigure({ gpus, demands: [] }, { goal: GOAL })
  if (answer.kind !== 'found') return `The fewest GPUs that running pods need is unknown: ${answer.because}.`
  const now = gpus.filter(({ instances }) => instances.some(({ pod }) => pod !== undefined)).length
  const { gpus: fewest = 0, displaced: moves = 0 } = answer.bounds
  const gpusWords = fewest < answer.gpus ? `at least ${fewest} are needed` : `no fewer GPUs do (${answer.gpus})`
  const movesWords =
    moves < answer.displaced ? `at least ${plural(moves, 'move')}` : `no fewer moves (${answer.displaced})`
  const proof = `${gpusWords}, and ${movesWords}`
  return `With pods that must not move left in place, what runs on ${plural(now, 'partitioned GPU')} fits on ${answer.gpus} by moving ${plural(answer.displaced, 'pod')}; ${proof}. CPU and memory of nodes are not looked at in this.`
}
