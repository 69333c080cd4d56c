import type { FleetChange, ScenarioGroup } from '@septet/domain'

type Group = Pick<ScenarioGroup, 'model' | 'pool' | 'nodes' | 'gpusPerNode' | 'price'>

/** How many nodes the group has with the changes. */
export function nodesOf(group: Group, changes: readonly FleetChange[]): number {
  const by = changes.filter((one) => isOf(one, group)).reduce((sum, one) => sum + signed(one), 0)
  return Math.max(0, group.nodes + by)
}

/** What a GPU-hour of the group costs with the changes. */
export function priceOf(group: Group, changes: readonly FleetChange[]): number | null {
  const set = changes.flatMap((one) => (one.kind === 'price' && isOf(one, group) ? [one.price] : []))
  return set.at(-1) ?? group.price
}

/** The changes so that the group has so many nodes. */
export function withNodes(changes: readonly FleetChange[], group: Group, nodes: number): readonly FleetChange[] {
  const others = changes.filter((one) => one.kind === 'price' || !isOf(one, group))
  const { model, pool, gpusPerNode } = group
  if (nodes > group.nodes) {
    return [...others, { kind: 'add', model, pool, nodes: nodes - group.nodes, gpusPerNode, price: null }]
  }
  return nodes < group.nodes ? [...others, { kind: 'remove', model, pool, nodes: group.nodes - nodes }] : others
}

/** The changes so that a GPU-hour of the group costs so much. */
export function withPrice(changes: readonly FleetChange[], group: Group, price: number): readonly FleetChange[] {
  const others = changes.filter((one) => one.kind !== 'price' || !isOf(one, group))
  const { model, pool } = group
  return price === group.price ? others : [...others, { kind: 'price', model, pool, price }]
}

const isOf = (change: FleetChange, { model, pool, gpusPerNode }: Group): boolean =>
  change.model === model && change.pool === pool && (change.kind !== 'add' || change.gpusPerNode === gpusPerNode)

const signed = (change: FleetChange): number =>
  change.kind === 'add' ? change.nodes : change.kind === 'remove' ? -change.nodes : 0
