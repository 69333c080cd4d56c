import { type CostedTotal, type CostGroup, costOfTallies, type CostTally, tallyBy } from './cost-parts.ts'

/** What one workload held of one model in one pool, or what nobody held there. */
export type CostCell = {
  /** Both empty for what nobody held. */
  readonly workload: string
  readonly namespace: string
  readonly model: string
  readonly pool: string
  readonly tally: CostTally
}

/** The cells of totals that are grouped by kind, namespace, workload, model and pool at least. */
export function cellsOf(costed: Iterable<CostedTotal>): CostCell[] {
  const tallies = tallyBy(costed, ({ key }) =>
    [key.workload ?? '', key.namespace ?? '', key.model ?? '', key.pool ?? ''].join(APART),
  )
  return [...tallies].map(([key, tally]) => {
    const [workload = '', namespace = '', model = '', pool = ''] = key.split(APART)
    return { workload, namespace, model, pool, tally }
  })
}

/**
 * Cells cut by any text; those without one are left out. Dearest first, those without a price by GPU-hours after them.
 */
export function cutCost(cells: Iterable<CostCell>, keyOf: (cell: CostCell) => string | undefined): CostGroup[] {
  const keyed = Array.from(cells).flatMap((cell) => {
    const key = keyOf(cell)
    return key === undefined ? [] : [[key, cell.tally] as const]
  })
  return costOfTallies(keyed).toSorted(
    (a, b) =>
      (b.cost.money?.capacity ?? -1) - (a.cost.money?.capacity ?? -1) || b.cost.hours.capacity - a.cost.hours.capacity,
  )
}

const APART = '\u0000'
