import { compareText } from '../../units.ts'
import { demandKey, type Demand } from '../place/demand.ts'
import type { TypicalDemand } from './policy.ts'

/** The most frequent demands that together make up `coverage` of all (0.95 in the FGD paper), CPU-only ones included. */
export function typicalDemands(demands: readonly Demand[], coverage = 0.95): TypicalDemand[] {
  const counted = new Map<string, { demand: Demand; count: number; key: string }>()
  for (const demand of demands) {
    const key = demandKey(demand)
    const known = counted.get(key)
    if (known === undefined) counted.set(key, { demand, count: 1, key })
    else known.count += 1
  }
  const kept: Array<{ demand: Demand; count: number }> = []
  let sum = 0
  for (const entry of [...counted.values()].toSorted((a, b) => b.count - a.count || compareText(a.key, b.key))) {
    if (sum >= coverage * demands.length) break
    kept.push(entry)
    sum += entry.count
  }
  return kept.map(({ demand, count }) => ({ demand, share: count / sum }))
}
