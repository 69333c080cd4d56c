import type { Demand } from '../place/demand.ts'
import type { ShareFleet, Spot } from '../place/fleet.ts'

/**
 * A way to choose where a pod goes, one pod at a time, knowing nothing of the pods to come but how they are spread.
 * Every policy shares the filters of the fleet, and places a pod if it fits anywhere: none may turn one away.
 */
export type Policy = {
  readonly name: string
  start(context: PolicyContext): Chooser
}

export type PolicyContext = {
  /** What the policy chooses in; the harness places, the policy only looks. */
  readonly fleet: ShareFleet
  readonly typical: readonly TypicalDemand[]
  /** Seeded chance: 0 up to, not including, 1. */
  readonly random: () => number
}

/** Demands to expect, with their share of all arrivals; the shares add up to 1. */
export type TypicalDemand = { readonly demand: Demand; readonly share: number }

export type Chooser = {
  /** Undefined: it fits nowhere. */
  choose(demand: Demand): Spot | undefined
}
