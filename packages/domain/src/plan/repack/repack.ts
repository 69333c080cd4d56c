import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuId } from '../../cluster/node.ts'
import type { Pod, PodId } from '../../cluster/workload.ts'
import { compareText } from '../../units.ts'
import type { GpuTarget, PodMove } from '../action/action.ts'
import { whyNotMoved } from './may-move.ts'
import { holdingsOf, movesOf, targetsOf } from './repack-answer.ts'
import type { Holding } from './repack-answer.ts'
import { regionsOf } from './repack-regions.ts'
import type { Region, RepackGoal } from './repack-regions.ts'
import { RepackFleet } from './repack-space.ts'
import { likeness, seatPods } from './seat-pods.ts'

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
export function repack(snapshot: ClusterSnapshot, goal: RepackGoal, limit = DEFAULT_LIMIT): RepackAnswer {
  const fleet = new RepackFleet(snapshot)
  const ground = { snapshot, fleet, holdings: holdingsOf(snapshot, fleet), moved: [] }
  const regions = regionsOf(fleet, goal)
  if (regions.length === 0) return refusal(`nothing in the cluster can become ${nameOf(goal)}`, Infinity)
  const answer = tryInOrder(regions, ground, limit)
  if (answer.kind === 'refused') return answer
  const { fleet: _, ...found } = answer
  return found
}

/** A repack that can be built upon: with the cluster as it is then. */
export type RepackStep =
  | (Extract<RepackAnswer, { kind: 'found' }> & { readonly fleet: RepackFleet })
  | Extract<RepackAnswer, { kind: 'refused' }>

/** Tries regions, those with fewest pods first, until one can be freed or the limit is reached. */
export function tryInOrder(regions: readonly Region[], ground: Ground, limit: number): RepackStep {
  let bound = Infinity
  let because: string | undefined
  const failed = new Map<string, Failed>()
  for (const region of regions) {
    const { length } = region.pods
    if (length > limit) {
      const moves = length === 1 ? '1 move' : `${length} moves`
      return refusal(`${moves} would be needed; limit ${limit}`, Math.min(bound, length))
    }
    if (failed.size >= REGIONS_TRIED) {
      const why = `the ${REGIONS_TRIED} cheapest kinds of ways leave some pods without room, as ${because}`
      return refusal(why, Math.min(bound, length))
    }
    const tried = tryRegion(ground, region, failed)
    if (tried.kind === 'found') return { ...tried, bound: Math.min(bound, length) }
    because ??= `${region.node}: ${tried.because}`
    bound = Math.min(bound, fewestWithChains(tried, length))
  }
  return refusal(because ?? 'there is no way', bound)
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
  readonly fleet: RepackFleet
  readonly holdings: ReadonlyMap<PodId, readonly Holding[]>
  /** Pods that the plan moves already. */
  readonly moved: readonly Pod[]
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
const kindOf = ({ fleet, holdings }: Ground, { gpus, start: at }: Region, pods: readonly Pod[]): string =>
  JSON.stringify([
    at,
    gpus
      .flatMap((gpu) => fleet.space(gpu) ?? [])
      .map((space) => likeness(fleet, space))
      .toSorted(),
    pods
      .map(({ id, namespace, scheduling }) =>
        JSON.stringify([
          namespace,
          scheduling,
          holdings.get(id)?.map(({ resource, model, start }) => [resource, model, start]),
        ]),
      )
      .toSorted(),
  ])

function clearRegion({ fleet, holdings }: Ground, region: Region, pods: readonly Pod[]): Tried {
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
  const seating = seatPods(lifted, seekers)
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
