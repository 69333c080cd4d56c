import {
  compareText,
  type Demand,
  GPU_MILLI,
  gpuMilliOf,
  place,
  type Policy,
  seededChance,
  type ShareFleet,
  shareFleet,
  type ShareNode,
  type Spot,
  typicalDemands,
} from '@septet/domain'

import { arrivals } from './arrivals.ts'

export type ArrivalsInput = {
  readonly nodes: readonly ShareNode[]
  /** The list that arrivals are drawn from, and that says what is typical. */
  readonly pods: readonly Demand[]
  readonly policy: Policy
  readonly seed: number
  /** GPU request of all arrivals over the fleet's GPUs; 1.3 in the FGD paper. */
  readonly ratio: number
}

export type PlacedArrivals = {
  readonly fleet: ShareFleet
  readonly arrivals: readonly Demand[]
  /** Where the pods that were placed are, in order of arrival. */
  readonly placed: ReadonlyArray<{ readonly demand: Demand; readonly spot: Spot }>
  readonly skipped: readonly Demand[]
  /** Allocated GPU room at the end, % of the fleet. */
  readonly allocated: number
}

/**
 * Places arrivals on an empty fleet, pod by pod, as the FGD protocol does: pods are never moved, and one that fits nowhere
 * is skipped. Pure: equal input, equal answer.
 */
export function placeArrivals({ nodes, pods, policy, seed, ratio }: ArrivalsInput): PlacedArrivals {
  const fleet = shareFleet(nodes.toSorted((a, b) => compareText(a.id, b.id)))
  const capacity = fleet.milliFree.length * GPU_MILLI
  const order = arrivals({ pods, sizeOf, capacity, ratio, random: seededChance(seed) })
  const typical = typicalDemands(pods)
  const chooser = policy.start({ fleet, typical, random: seededChance(seed) })
  const placed: Array<PlacedArrivals['placed'][number]> = []
  const skipped: Demand[] = []
  let allocated = 0
  for (const demand of order) {
    const spot = chooser.choose(demand)
    if (spot === undefined) {
      skipped.push(demand)
      continue
    }
    place(fleet, demand, spot)
    placed.push({ demand, spot })
    allocated += sizeOf(demand)
  }
  return { fleet, arrivals: order, placed, skipped, allocated: capacity === 0 ? 0 : (allocated / capacity) * 100 }
}

const sizeOf = ({ gpu }: Demand): number => gpuMilliOf(gpu)
