import type { LayoutProblem } from './layout-problem.ts'

/** What makes a problem meaningless, in words, with the place: counts that are none, ids twice, prices below 0. */
export function layoutProblemFlaws({ classes, demands }: LayoutProblem): readonly string[] {
  const known = new Set(classes.map(({ id }) => id))
  return [
    ...repeated(classes).map((id) => `supply class ${id} is there twice`),
    ...repeated(demands).map((id) => `demand ${id} is there twice`),
    ...classes
      .filter(({ supply }) => !isCount(supply))
      .map(({ id, supply }) => `supply class ${id} has ${supply} GPUs, which is no count`),
    ...classes
      .filter(({ price }) => price !== undefined && !(Number.isFinite(price) && price >= 0 && price < MOST_USD))
      .map(({ id, price }) => `supply class ${id} has the price ${price}, which is none`),
    ...demands
      .filter(({ count }) => !isCount(count))
      .map(({ id, count }) => `demand ${id} has ${count} workloads, which is no count`),
    ...demands.flatMap(({ id, fits }) =>
      [...new Set(fits.map(({ supplyClass }) => supplyClass))]
        .filter((supplyClass) => !known.has(supplyClass))
        .map((supplyClass) => `demand ${id} fits supply class ${supplyClass}, which does not exist`),
    ),
  ]
}

/** More than any fleet has; above it, sums would lose whole numbers. */
const MOST = 1e8
const MOST_USD = 1e6

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= MOST

const repeated = (items: ReadonlyArray<{ readonly id: string }>): readonly string[] => [
  ...new Set(items.map(({ id }) => id).filter((id, index, list) => list.indexOf(id) !== index)),
]
