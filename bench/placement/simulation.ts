import {
  compareText,
  type Demand,
  type ShareFleet,
  type ShareNode,
  GPU_MILLI,
  gpuMilliOf,
  type JudgedSpot,
  shareFleet,
  place,
  type Policy,
  seededChance,
  type Spot,
  type TypicalDemand,
} from '@septet/domain'
import { fleetFragmentation } from './fragmentation.ts'
import { openRun, type ArrivalRun } from './arrival-run.ts'

/** One policy for whole GPUs and shares of them, on one list of arrivals. */
export type Simulation = ArrivalRun<Demand, Spot> & {
  readonly fleet: ShareFleet
  /** What the policy thinks of the best spots for a demand now, best first; empty where it compares none. */
  consider(demand: Demand, most: number): readonly JudgedSpot[]
}

export type SimulationInput = {
  readonly nodes: readonly ShareNode[]
  readonly arrivals: readonly Demand[]
  readonly typical: readonly TypicalDemand[]
  readonly policy: Policy
  readonly seed: number
  /** Percentages of arrived GPU request to record. */
  readonly recordAt: readonly number[]
}

/** Opens an empty fleet for the policy. Pure: the same input gives the same marks, however it is advanced. */
export function openSimulation({ nodes, arrivals, typical, policy, seed, recordAt }: SimulationInput): Simulation {
  const fleet = shareFleet(nodes.toSorted((a, b) => compareText(a.id, b.id)))
  const chooser = policy.start({ fleet, typical, random: seededChance(seed) })
  const run = openRun<Demand, Spot>({
    policy: policy.name,
    arrivals,
    capacity: fleet.milliFree.length * GPU_MILLI,
    recordAt,
    sizeOf: ({ gpu }) => gpuMilliOf(gpu),
    prepare: (demand) => chooser.prepare?.(demand) ?? true,
    fragmented: () => fleetFragmentation(fleet, typical),
    place: (demand) => {
      const spot = chooser.choose(demand)
      if (spot !== undefined) place(fleet, demand, spot)
      return spot
    },
  })
  const consider = (demand: Demand, most: number) => chooser.consider?.(demand, most) ?? []
  return { ...run, fleet, consider }
}
