import { GPU_MILLI, type Demand } from '../place/demand.ts'
import type { FleetNode } from '../place/fleet.ts'
import type { Policy } from '../policy/policy.ts'
import { typicalDemands } from '../policy/typical-demands.ts'
import { arrivals } from './arrivals.ts'
import { seededChance } from './seeded-chance.ts'
import { openSimulation, type Simulation } from './simulation.ts'

export type Comparison = {
  readonly arrivals: readonly Demand[]
  /** One per policy, in the order that was asked for. */
  readonly simulations: readonly Simulation[]
  /** Places the next pods with every policy; false when none is left. */
  advance(pods: number): boolean
}

export type ComparisonInput = {
  readonly nodes: readonly FleetNode[]
  /** The list that arrivals are drawn from, and that says what is typical. */
  readonly pods: readonly Demand[]
  readonly policies: readonly Policy[]
  readonly seed: number
  /** GPU request of all arrivals over the fleet's GPUs; 1.3 in the FGD paper. */
  readonly ratio: number
  readonly recordAt: readonly number[]
}

/** The same arrivals, in the same order, for every policy, on fleets of their own. Pure; advance it as fast as you draw. */
export function comparePolicies({ nodes, pods, policies, seed, ratio, recordAt }: ComparisonInput): Comparison {
  const capacityMilli = nodes.reduce((sum, { gpus }) => sum + gpus * GPU_MILLI, 0)
  const order = arrivals({ pods, capacityMilli, ratio, random: seededChance(seed) })
  const typical = typicalDemands(pods)
  const simulations = policies.map((policy) =>
    openSimulation({ nodes, arrivals: order, typical, policy, seed, recordAt }),
  )
  return {
    arrivals: order,
    simulations,
    advance: (count) => simulations.map((simulation) => simulation.advance(count)).some(Boolean),
  }
}
