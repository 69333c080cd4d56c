import { hoursOf } from '../analyze/figure.ts'
import { sumUsageBy } from '../analyze/usage-sum.ts'
import { offerOfMachine, type NodeOffer } from '../cluster/node-offer.ts'
import { compareText, type GpuHours, gpuHours } from '../units.ts'
import { type CostCell, cellsOf } from './cost-cells.ts'
import { type CostedTotal, type CostGroup, type CostParts, costBy, costOf } from './cost-parts.ts'
import type { Price } from './price-book.ts'
import type { PricedPeriod } from './priced-periods.ts'

/** Cost of the window: the whole and cut four ways. Each cut's capacities add up to the whole's, to the cent. */
export type FleetCost = {
  readonly fleet: CostParts
  /** The row with an empty key is what nobody held. */
  readonly byNamespace: readonly CostGroup[]
  readonly byModel: readonly CostGroup[]
  readonly byPool: readonly CostGroup[]
  readonly byNode: readonly CostGroup[]
  /** What it can be cut by at will: by tenant, by label, a group by its workloads. */
  readonly cells: readonly CostCell[]
  /** The price of each model, pool and machine in use, and where it comes from. */
  readonly prices: readonly PriceInUse[]
}
type PriceInUse = {
  readonly model: string
  readonly pool: string
  /** The machine, as its labels said; undefined where they said nothing. */
  readonly offer: NodeOffer | undefined
  readonly price: Price
  /** GPU-hours of capacity that it was applied to. */
  readonly hours: GpuHours
}

/** The cost of a window from totals that are grouped by kind, namespace, model, pool and node, and what they were priced by. */
export function fleetCost(costed: readonly CostedTotal[], periods: readonly PricedPeriod[]): FleetCost {
  return {
    fleet: costOf(costed),
    byNamespace: rowsBy(costed, 'namespace'),
    byModel: rowsBy(costed, 'model'),
    byPool: rowsBy(costed, 'pool'),
    byNode: rowsBy(costed, 'node'),
    cells: cellsOf(costed),
    prices: pricesInUse(periods),
  }
}

/** Dearest first, those without a price by GPU-hours after them. */
function rowsBy(costed: readonly CostedTotal[], group: 'namespace' | 'model' | 'pool' | 'node'): CostGroup[] {
  return costBy(costed, ({ key }) => key[group] ?? '').toSorted(
    (a, b) =>
      (b.cost.money?.capacity ?? -1) - (a.cost.money?.capacity ?? -1) ||
      b.cost.hours.capacity - a.cost.hours.capacity ||
      compareText(a.key, b.key),
  )
}

/** A model and pool stands once for each price that its machines had. */
function pricesInUse(periods: readonly PricedPeriod[]): PriceInUse[] {
  const uses = new Map<string, PriceInUse>()
  for (const { totals, priceOf } of periods) {
    const sums = sumUsageBy(totals, ({ key: { model, pool, machine, node } }) =>
      [model, pool, machine, machine === '' ? node : ''].join(APART),
    )
    for (const [key, { gpuSeconds }] of sums) {
      const [model = '', pool = '', machine = '', node = ''] = key.split(APART)
      const price = priceOf({ pool, model, machine, node })
      const use = useOf({ model, pool, machine }, price)
      const hours = gpuHours((uses.get(use)?.hours ?? 0) + hoursOf(gpuSeconds))
      uses.set(use, { model, pool, offer: machine === '' ? undefined : offerOfMachine(machine), price, hours })
    }
  }
  return [...uses.values()].toSorted((a, b) => compareText(a.model, b.model) || compareText(a.pool, b.pool))
}

const useOf = ({ model, pool, machine }: { model: string; pool: string; machine: string }, price: Price): string =>
  JSON.stringify([model, pool, price.kind === 'known' && [price.price, price.source], machine])

const APART = '\u0000'
