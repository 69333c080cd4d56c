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
  /**
   * Does a small part of what `choose` needs first for this demand, the next to arrive; true when nothing of it is left.
   * `choose` does what was not prepared, so the choice is the same without. Absent where there is nothing to prepare.
   */
  prepare?(demand: Demand): boolean
  /** The best spots, best first, at most so many; absent where a policy compares none. */
  consider?(demand: Demand, most: number): readonly JudgedSpot[]
}

/** A spot with the policy's own score: lower is better, the scale is the policy's. */
export type JudgedSpot = { readonly spot: Spot; readonly score: number }
