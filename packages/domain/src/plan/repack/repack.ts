import { plural } from '../../words.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuId } from '../../cluster/node.ts'
import type { Pod, PodId } from '../../cluster/workload.ts'
import { compareText } from '../../units.ts'
import type { GpuTarget, PodMove } from '../words/action.ts'
import { nodeLikeness, podLikeness } from './likeness.ts'
import { whyNotMoved } from './may-move.ts'
import { repackHoldings, movesOf, targetsOf, type Holdings } from './repack-answer.ts'
import { RESERVED, regionsInOrder, type Region, type RepackGoal } from './repack-regions.ts'
import { IndexedFleet } from '../../fleet/indexed-fleet.ts'
import { newEffort, type SearchEffort } from './search-effort.ts'
import { seatPods } from './seat-pods.ts'

export type RepackAnswer =
  | {
      readonly kind: 'found'
      readonly targets: readonly GpuTarget[]
      readonly moves: readonly PodMove[]
      readonly displaced: readonly PodId[]
      /** What is free afterwards: the GPU, all GPUs of the node, or the GPU with the new room. */
      readonly freed: readonly GpuId[]
      readonly node: string
      /** No plan displaces fewer pods. Equal to the number displaced: proven best. */
      readonly bound: number
    }
  | { readonly kind: 'refused'; readonly because: string; readonly bound: number | undefined }

/** The most pods that a repack may displace, unless said otherwise. */
const DEFAULT_LIMIT = 5
/** Regions whose pods are tried to be moved before the search stops. */
const REGIONS_TRIED = 64

/**
 * The fewest moves that free something. Every region that would do is known with the pods in it; those with fewest are
 * tried first, and a region counts when all its pods find room elsewhere without moving others. A region where that is
 * proven impossible would take at least one move more, which is what the bound says.
 */
export const repack = (snapshot: ClusterSnapshot, goal: RepackGoal, limit = DEFAULT_LIMIT): RepackAnswer => {
  const fleet = new IndexedFleet(snapshot)
  const holdings = repackHoldings(snapshot, fleet)
  let regions = 0
  const answer = tryInOrder(counted(), { snapshot, fleet, holdings, moved: [] }, limit)
  if (regions === 0) return refusal(`nothing in the cluster can become ${nameOf(goal)}`, Infinity)
  if (answer.kind === 'refused') return answer
  const { fleet: _, ...found } = answer
  return found

  function* counted(): Generator<Region, void> {
    for (const region of regionsInOrder(fleet, goal, { holder: RESERVED, takes: () => true })) {
      regions += 1
      yield region
    }
  }
}

/** A repack that can be built upon: with the cluster as it is then. */
export type RepackStep =
  | (Extract<RepackAnswer, { kind: 'found' }> & { readonly fleet: IndexedFleet })
  | Extract<RepackAnswer, { kind: 'refused' }>

/** Tries regions, those with fewest pods first, until one can be freed or the limit is reached. */
export function tryInOrder(regions: Iterable<Region>, ground: Ground, limit: number): RepackStep {
  let bound = Infinity
  let because: string | undefined
  const { effort = newEffort() } = ground
  const failed = new Map<string, Failed>()
  let looked = 0
  for (const region of regions) {
    const { length } = region.pods
    if (length > limit) {
      const moves = plural(length, 'move')
      return refusal(`${moves} would be needed; limit ${limit}`, Math.min(bound, length))
    }
    const ended = whyEnded({ failed: failed.size, looked, effort })
    if (ended !== undefined)
      return refusal(`${ended}${because === undefined ? '' : `, as ${because}`}`, Math.min(bound, length))
    looked += 1
    effort.regions -= 1
    const tried = tryRegion({ ...ground, effort }, region, failed)
    if (tried.kind === 'found') return { ...tried, bound: Math.min(bound, length) }
    because ??= `${region.node}: ${tried.because}`
    bound = Math.min(bound, fewestWithChains(tried, length))
  }
  return refusal(because ?? 'no way was found', bound)
}

type Sofar = { readonly failed: number; readonly looked: number; readonly effort: SearchEffort }

function whyEnded({ failed, looked, effort }: Sofar): string | undefined {
  if (failed >= REGIONS_TRIED) return `the ${REGIONS_TRIED} cheapest kinds of ways leave some pods without room`
  if (effort.regions > 0 && effort.clearings > 0) return undefined
  return looked === 0
    ? 'not looked at: moves for it, because the search for work before it took all its tries'
    : `not looked at: all but the ${looked} cheapest ways; these leave some pods without room`
}

type Failed = Extract<Tried, { kind: 'no' }>

const refusal = (because: string, bound: number): Extract<RepackAnswer, { kind: 'refused' }> => ({
  kind: 'refused',
  because,
  bound: Number.isFinite(bound) ? bound : undefined,
})

/** A region whose pods have no room by one move each may still be freed by moving others too. */
function fewestWithChains({ fixed, exact }: Extract<Tried, { kind: 'no' }>, pods: number): number {
  if (fixed) return Infinity
  return exact ? pods + 1 : pods
}

const nameOf = (goal: RepackGoal): string =>
  goal.kind === 'free-gpu' ? 'a free GPU' : goal.kind === 'free-node' ? 'a free node' : `room for a ${goal.profile}`

export type Ground = {
  readonly snapshot: ClusterSnapshot
  readonly fleet: IndexedFleet
  readonly holdings: Holdings
  /** Pods that the plan moves already. */
  readonly moved: readonly Pod[]
  /** Shared by all searches of one answer; absent: enough for one. */
  readonly effort?: SearchEffort
}

type Tried =
  | Omit<Extract<RepackStep, { kind: 'found' }>, 'bound'>
  /** `fixed`: somebody in the region may not move at all; `exact`: no way for one move each. */
  | { readonly kind: 'no'; readonly because: string; readonly exact: boolean; readonly fixed: boolean }

function tryRegion(ground: Ground, region: Region, failed: Map<string, Failed>): Tried {
  const { snapshot, fleet, holdings, moved } = ground
  const pods = region.pods.flatMap((id): Pod[] => {
    const pod = fleet.pods.get(id)
    return pod === undefined || !holdings.has(id) || moved.includes(pod) ? [] : [pod]
  })
  if (pods.length < region.pods.length) {
    return { kind: 'no', because: 'a pod on it is unknown or moves already', exact: false, fixed: true }
  }
  const fixed = whyNotMoved(snapshot, [...moved, ...pods])
  if (fixed !== undefined) return { kind: 'no', because: fixed, exact: true, fixed: true }
  const key = kindOf(ground, region, pods)
  const before = failed.get(key)
  if (before !== undefined) return before
  const answer = clearRegion(ground, region, pods)
  if (answer.kind === 'no') failed.set(key, answer)
  return answer
}

/** Equal for regions where the same is in the way, on GPUs and nodes that are alike: what fails on one fails on all. */
function kindOf({ fleet, holdings }: Ground, { gpus, start: at }: Region, pods: readonly Pod[]): string {
  const { kinds, gpuNumbers, nodeOf } = fleet.frame
  const demand = {
    cpuMilli: pods.reduce((sum, { scheduling }) => sum + scheduling.cpuMilli, 0),
    memory: pods.reduce((sum, { scheduling }) => sum + scheduling.memory, 0),
    joint: pods.some(({ id }) => (holdings.get(id)?.length ?? 0) > 1),
  }
  const places = gpus.map((gpu) => {
    const number = gpuNumbers.get(gpu) ?? -1
    const space = fleet.at(number)
    return space === undefined ? '' : `${kinds.of(space).id}:${nodeLikeness(fleet, nodeOf[number] ?? -1, demand)}`
  })
  const inTheWay = pods.map((pod) => {
    const held = holdings.get(pod.id) ?? []
    // A pod that holds something elsewhere too is like no other.
    const id = held.every(({ gpu }) => gpus.includes(gpu)) ? '' : pod.id
    const parts = held.map(({ resource, model, start }) => `${resource}@${start} ${model}`)
    return `${podLikeness(pod)} ${id} ${parts.join()}`
  })
  return [at, ...places.toSorted(), ...inTheWay.toSorted()].join('|')
}

function clearRegion({ fleet, holdings, effort }: Ground, region: Region, pods: readonly Pod[]): Tried {
  if (effort !== undefined) effort.clearings -= 1
  const lifted = fleet.fork()
  for (const pod of pods) lifted.lift(pod.id, holdings.get(pod.id) ?? [])
  region.take(lifted)
  const seekers = pods
    .map((pod) => {
      const held = holdings.get(pod.id) ?? []
      return {
        pod,
        resources: held.map(({ resource }) => resource),
        model: held[0]?.model,
        size: held.reduce((sum, { size }) => sum + size, 0),
      }
    })
    .toSorted((a, b) => b.size - a.size || compareText(a.pod.id, b.pod.id))
  const seating = seatPods(lifted, seekers, effort)
  if (seating.kind === 'none') {
    return {
      kind: 'no',
      because: `no room elsewhere for ${region.pods.join(', ')}`,
      exact: seating.exact,
      fixed: false,
    }
  }
  return {
    kind: 'found',
    targets: targetsOf(seating.fleet),
    moves: movesOf(seating.seats, holdings),
    displaced: region.pods,
    freed: region.gpus,
    node: region.node,
    fleet: seating.fleet,
  }
}
