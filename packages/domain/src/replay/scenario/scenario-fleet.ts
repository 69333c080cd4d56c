import type { FleetChange, ScenarioGroup } from './scenario.ts'

/** The fleet with the supposed changes. Nodes are taken from the end of a group; more than there are take all. */
export function changedFleet(
  groups: readonly ScenarioGroup[],
  changes: readonly FleetChange[],
): readonly ScenarioGroup[] {
  return changes.reduce<readonly ScenarioGroup[]>(withChange, groups).filter(({ nodes }) => nodes > 0)
}

function withChange(groups: readonly ScenarioGroup[], change: FleetChange): readonly ScenarioGroup[] {
  const isMeant = ({ model, pool }: ScenarioGroup): boolean => model === change.model && pool === change.pool
  if (change.kind === 'price') {
    return groups.map((group) => (isMeant(group) ? { ...group, price: change.price } : group))
  }
  if (change.kind === 'remove') return withoutNodes(groups, isMeant, change.nodes)
  const { model, pool, nodes, gpusPerNode, price } = change
  const known = groups.find((group) => isMeant(group) && group.gpusPerNode === gpusPerNode)
  if (known === undefined) return [...groups, { model, pool, nodes, gpusPerNode, price, cuts: [] }]
  // New nodes of a group come whole, and cost what the others do unless a price is given.
  return groups.map((group) =>
    group === known ? { ...group, nodes: group.nodes + nodes, price: price ?? group.price } : group,
  )
}

function withoutNodes(
  groups: readonly ScenarioGroup[],
  isMeant: (group: ScenarioGroup) => boolean,
  wanted: number,
): readonly ScenarioGroup[] {
  let left = wanted
  return groups.map((group) => {
    if (!isMeant(group)) return group
    const gone = Math.min(left, group.nodes)
    left -= gone
    return { ...group, nodes: group.nodes - gone }
  })
}

/** All groups of one model in one GPU set. */
export const modelsOf = (groups: readonly ScenarioGroup[]): readonly string[] =>
  [...new Set(groups.map(({ model }) => model))].toSorted()

export const gpusOf = (groups: readonly ScenarioGroup[]): number =>
  groups.reduce((sum, { nodes, gpusPerNode }) => sum + nodes * gpusPerNode, 0)

/** Dollars an hour for the GPUs with a price, and how many have none. */
export function hourlyCost(groups: readonly ScenarioGroup[]): { readonly usd: number; readonly unpriced: number } {
  let [usd, unpriced] = [0, 0]
  for (const { nodes, gpusPerNode, price } of groups) {
    if (price === null) unpriced += nodes * gpusPerNode
    else usd += nodes * gpusPerNode * price
  }
  return { usd, unpriced }
}

/** Dollars an hour for so many GPUs of each model, at the mean price of its groups; undefined where one is not known. */
export function hourlyCostOf(
  groups: readonly ScenarioGroup[],
  models: readonly string[],
  used: readonly number[],
): number | undefined {
  let sum = 0
  for (const [place, model] of models.entries()) {
    const gpus = used[place] ?? 0
    if (gpus === 0) continue
    const own = groups.filter((group) => group.model === model)
    const { usd, unpriced } = hourlyCost(own)
    if (unpriced > 0) return undefined
    sum += (gpus * usd) / gpusOf(own)
  }
  return sum
}
