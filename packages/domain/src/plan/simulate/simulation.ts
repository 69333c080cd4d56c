import { compareText } from '../../units.ts'
import { GPU_MILLI, gpuMilliOf, type Demand } from '../place/demand.ts'
import { openFleet, place, type Fleet, type FleetNode, type Spot } from '../place/fleet.ts'
import { fleetFragmentation } from '../policy/fragmentation.ts'
import type { Chooser, JudgedSpot, Policy, TypicalDemand } from '../policy/policy.ts'
import { seededChance } from './seeded-chance.ts'

/** One policy on one list of arrivals, advanced pod by pod. Pods are never moved, and one that fits nowhere is skipped. */
export type Simulation = {
  readonly policy: string
  readonly fleet: Fleet
  /** Where the pods that were placed are, in order of arrival. */
  readonly placed: readonly PlacedDemand[]
  readonly skipped: readonly Demand[]
  /** Places the next pods, at most so many; false when none is left. */
  advance(pods: number): boolean
  /** What the policy thinks of the best spots for a demand now, best first; empty where it compares none. */
  consider(demand: Demand, most: number): readonly JudgedSpot[]
  /** The room in use now. */
  now(): Mark
  /** The room in use at each asked-for percentage of arrived GPU request that was reached. */
  marks(): readonly Mark[]
}

export type PlacedDemand = { readonly demand: Demand; readonly spot: Spot }

/** Shares of all GPU capacity, %. */
export type Mark = {
  /** GPU request of the pods that have arrived. */
  readonly arrived: number
  readonly allocated: number
  /** Free room that the typical demands could not use, on the mean (Weng et al., USENIX ATC 2023). */
  readonly fragmented: number
  readonly skipped: number
}

export type SimulationInput = {
  readonly nodes: readonly FleetNode[]
  readonly arrivals: readonly Demand[]
  readonly typical: readonly TypicalDemand[]
  readonly policy: Policy
  readonly seed: number
  /** Percentages of arrived GPU request to record. */
  readonly recordAt: readonly number[]
}

/** Opens an empty fleet for the policy. Pure: the same input gives the same marks, however it is advanced. */
export function openSimulation(input: SimulationInput): Simulation {
  const fleet = openFleet(input.nodes.toSorted((a, b) => compareText(a.id, b.id)))
  const chooser = input.policy.start({ fleet, typical: input.typical, random: seededChance(input.seed) })
  const run = new Run(input, { fleet, chooser })
  return {
    policy: input.policy.name,
    fleet,
    placed: run.placed,
    skipped: run.skipped,
    advance: (pods) => run.advance(pods),
    consider: (demand, most) => chooser.consider?.(demand, most) ?? [],
    now: () => run.mark(),
    marks: () => run.marks,
  }
}

/** Runs to the last arrival. */
export function simulate(input: SimulationInput): Simulation {
  const simulation = openSimulation(input)
  simulation.advance(input.arrivals.length)
  return simulation
}

class Run {
  readonly placed: PlacedDemand[] = []
  readonly skipped: Demand[] = []
  readonly marks: Mark[] = []
  readonly #input: SimulationInput
  readonly #fleet: Fleet
  readonly #chooser: Chooser
  readonly #percentMilli: number
  readonly #recordAt: number[]
  #next = 0
  #arrivedMilli = 0
  #allocatedMilli = 0

  constructor(input: SimulationInput, { fleet, chooser }: { fleet: Fleet; chooser: Chooser }) {
    this.#input = input
    this.#fleet = fleet
    this.#chooser = chooser
    this.#percentMilli = (fleet.milliFree.length * GPU_MILLI) / 100
    this.#recordAt = input.recordAt.toSorted((a, b) => a - b)
  }

  advance(pods: number): boolean {
    const { arrivals } = this.#input
    const end = Math.min(arrivals.length, this.#next + pods)
    for (; this.#next < end; this.#next += 1) {
      const demand = arrivals[this.#next]
      if (demand !== undefined) this.#arrive(demand)
    }
    const over = this.#next >= arrivals.length
    // What the last pods leave within a pod of a percentage counts as having reached it.
    if (over) this.#record(this.#arrivedMilli + this.#percentMilli)
    return !over
  }

  mark(): Mark {
    const share = (milli: number): number => (this.#percentMilli === 0 ? 0 : milli / this.#percentMilli)
    return {
      arrived: share(this.#arrivedMilli),
      allocated: share(this.#allocatedMilli),
      fragmented: share(fleetFragmentation(this.#fleet, this.#input.typical)),
      skipped: this.skipped.length,
    }
  }

  #arrive(demand: Demand): void {
    const milli = gpuMilliOf(demand.gpu)
    this.#record(this.#arrivedMilli + milli)
    this.#arrivedMilli += milli
    const spot = this.#chooser.choose(demand)
    if (spot === undefined) {
      this.skipped.push(demand)
      return
    }
    place(this.#fleet, demand, spot)
    this.placed.push({ demand, spot })
    this.#allocatedMilli += milli
  }

  /** Records the percentages that the arrivals up to here stay within, before more arrive. */
  #record(untilMilli: number): void {
    while (this.#percentMilli > 0 && (this.#recordAt[0] ?? Infinity) * this.#percentMilli < untilMilli) {
      const at = this.#recordAt.shift() ?? 0
      this.marks.push({ ...this.mark(), arrived: at })
    }
  }
}
