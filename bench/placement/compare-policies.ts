import {
  type Demand,
  type ShareNode,
  GPU_MILLI,
  gpuMilliOf,
  type Policy,
  seededChance,
  typicalDemands,
} from '@septet/domain'
import { arrivals } from './arrivals.ts'
import { compareRuns, type Comparison } from './comparison.ts'
import { openSimulation, type Simulation } from './simulation.ts'

export type ComparisonInput = {
  readonly nodes: readonly ShareNode[]
  /** The list that arrivals are drawn from, and that says what is typical. */
  readonly pods: readonly Demand[]
  readonly policies: readonly Policy[]
  readonly seed: number
  /** GPU request of all arrivals over the fleet's GPUs; 1.3 in the FGD paper. */
  readonly ratio: number
  readonly recordAt: readonly number[]
}

/**
 * The same arrivals, in the same order, for every policy, on fleets of their own. Pure; advance it as fast as you draw.
 * Throws where the arrivals would be too many.
 */
export function comparePolicies({
  nodes,
  pods,
  policies,
  seed,
  ratio,
  recordAt,
}: ComparisonInput): Comparison<Demand, Simulation> {
  const capacity = nodes.reduce((sum, { gpus }) => sum + gpus * GPU_MILLI, 0)
  const random = seededChance(seed)
  const order = arrivals({ pods, sizeOf: ({ gpu }) => gpuMilliOf(gpu), capacity, ratio, random })
  const typical = typicalDemands(pods)
  const open = (policy: Policy) => openSimulation({ nodes, arrivals: order, typical, policy, seed, recordAt })
  return compareRuns(order, policies.map(open))
}
