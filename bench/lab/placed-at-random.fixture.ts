import { openFleet, place, POLICIES, seededChance, type Demand, type FleetNode } from '@septet/domain'
import type { PlacedDemand } from '@septet/domain/testing'

/** Pods where a random policy puts them, and those that fit nowhere. */
export function placedAtRandom(nodes: readonly FleetNode[], pods: readonly Demand[]) {
  const policy = POLICIES.find(({ name }) => name === 'random')
  const fleet = openFleet(nodes)
  const chooser = policy?.start({ fleet, typical: [], random: seededChance(7) })
  const placed: PlacedDemand[] = []
  const waiting: Demand[] = []
  for (const demand of pods) {
    const spot = chooser?.choose(demand)
    if (spot === undefined) waiting.push(demand)
    else {
      place(fleet, demand, spot)
      placed.push({ demand, spot })
    }
  }
  return { fleet, placed, waiting }
}
