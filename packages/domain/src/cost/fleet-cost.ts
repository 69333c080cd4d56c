import { hoursOf, type Figure } from '../analyze/figure.ts'
import { kindOf, sumUsage, sumUsageBy } from '../analyze/usage-sum.ts'
import type { UsageTotal } from '../analyze/usage.ts'
import { busyOfAllocated } from '../analyze/utilization.ts'
import { compareText, type GpuHours } from '../units.ts'
import { type CostCell, cellsOf } from './cost-cells.ts'
import { type CostParts, type CostedTotal, costBy, type Costing, costOf } from './cost-parts.ts'
import type { Price } from './price-book.ts'

/** Cost of the window: the whole and cut four ways. Each cut's capacities add up to the whole's, to the cent. */
export type FleetCost = {
  readonly fleet: CostParts
  /** The row with an empty key is what nobody held. */
  readonly byNamespace: readonly CostRow[]
  readonly byModel: readonly CostRow[]
  readonly byPool: readonly CostRow[]
  readonly byNode: readonly CostRow[]
  /** What it can be cut by at will: by tenant, by label, a group by its workloads. */
  readonly cells: readonly CostCell[]
  /** The price of each model and pool in use, and where it comes from. */
  readonly prices: readonly PriceInUse[]
}
export type CostRow = {
  readonly key: string
  readonly cost: CostParts
  readonly busyOfAllocated: Figure
}
type PriceInUse = {
  readonly model: string
  readonly pool: string
  readonly price: Price
  /** GPU-hours of capacity that it was applied to. */
  readonly hours: GpuHours
}

/** The cost of a window from totals that are grouped by kind, namespace, model, pool and node. */
export function fleetCost(costed: readonly CostedTotal[], priceOf: Costing['priceOf']): FleetCost {
  return {
    fleet: costOf(costed),
    byNamespace: rowsBy(costed, 'namespace'),
    byModel: rowsBy(costed, 'model'),
    byPool: rowsBy(costed, 'pool'),
    byNode: rowsBy(costed, 'node'),
    cells: cellsOf(costed),
    prices: pricesInUse(
      costed.map(({ total }) => total),
      priceOf,
    ),
  }
}

/** Dearest first, those without a price by GPU-hours after them. */
function rowsBy(costed: readonly CostedTotal[], group: 'namespace' | 'model' | 'pool' | 'node'): CostRow[] {
  const totals = costed.map(({ total }) => total)
  const held = sumUsageBy(totals, (total) => (kindOf(total) === 'held' ? (total.key[group] ?? '') : undefined))
  return costBy(costed, ({ key }) => key[group] ?? '')
    .map(({ key, cost }) => ({ key, cost, busyOfAllocated: busyOfAllocated(held.get(key) ?? sumUsage([])) }))
    .toSorted(
      (a, b) =>
        (b.cost.money?.capacity ?? -1) - (a.cost.money?.capacity ?? -1) ||
        b.cost.hours.capacity - a.cost.hours.capacity ||
        compareText(a.key, b.key),
    )
}

function pricesInUse(totals: readonly UsageTotal[], priceOf: Costing['priceOf']): PriceInUse[] {
  const hours = sumUsageBy(totals, ({ key }) => `${key.model ?? ''}\u0000${key.pool ?? ''}`)
  return [...hours]
    .map(([key, { gpuSeconds }]) => {
      const [model = '', pool = ''] = key.split('\u0000')
      return { model, pool, price: priceOf({ pool, model }), hours: hoursOf(gpuSeconds) }
    })
    .toSorted((a, b) => compareText(a.model, b.model) || compareText(a.pool, b.pool))
}
