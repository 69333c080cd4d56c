import { NODE_STATES, type InputOf, type FiguresOf, type partitionsList } from '@septet/contract'
import { compareText, onceFor, type Allocation, type GpuNode, type MigEfficiency } from '@septet/domain'

import type { ClusterPicture } from '../../facts.ts'

type Partitions = FiguresOf<typeof partitionsList>
type NodeState = Partitions['nodes'][number]['states'][number]

/** A node and what its partitions say of it. */
export type NodeLine = {
  readonly node: GpuNode
  readonly allocations: readonly Allocation[]
  readonly available: number
  /** Worked out when a node is shown; undefined for a caller who is limited to namespaces. */
  readonly mig: () => MigEfficiency | undefined
  readonly states: readonly NodeState[]
}

/**
 * What a node is doing; it can be in several states, or in none. `stranded` are its compute slices that are. To a caller
 * who is limited to namespaces (it is undefined) only what mig-manager says of it: what is free of a whole node is for those who may see it.
 */
export function statesOf(
  { ready, mig: { state } }: GpuNode,
  available: number,
  stranded: number | undefined,
): readonly NodeState[] {
  const changing = state === 'pending' || state === 'rebooting'
  const holds = {
    free: stranded !== undefined && available > 0,
    'none-free': stranded !== undefined && ready && available === 0,
    changing,
    failed: state === 'failed',
    stranded: (stranded ?? 0) > 0,
  } satisfies Record<NodeState, boolean>
  return NODE_STATES.filter((each) => holds[each])
}

type Filter = Pick<InputOf<typeof partitionsList>, 'search' | 'node' | 'model' | 'pool' | 'state'>

/** The nodes that are asked for, in their order. */
export function narrowed(known: readonly NodeLine[], filter: Filter, picture: ClusterPicture): readonly NodeLine[] {
  const { node: name, model, pool, state } = filter
  const search = filter.search?.trim().toLowerCase() ?? ''
  const isWanted = (facts: NodeLine): boolean =>
    (name === undefined || facts.node.name === name) &&
    (model === undefined || modelOf(facts.node) === model) &&
    (pool === undefined || facts.node.pool === pool) &&
    (state === undefined || facts.states.includes(state))
  if (search === '') return known.filter(isWanted)
  const holders = new Set(picture.workloads.filter(({ id }) => id.toLowerCase().includes(search)).map(({ id }) => id))
  return known.filter(
    (facts) =>
      isWanted(facts) &&
      (facts.node.name.toLowerCase().includes(search) ||
        facts.allocations.some(({ workload }) => holders.has(workload))),
  )
}

/** What the nodes can be narrowed to, each with how many there are. */
export const facetsOf = onceFor((known: readonly NodeLine[]): Partitions['facets'] => ({
  models: counted(known.map(({ node }) => modelOf(node))),
  pools: counted(known.flatMap(({ node }) => (node.pool === '' ? [] : node.pool))),
  states: counted(known.flatMap(({ states }) => states)),
}))

const modelOf = ({ model, product }: GpuNode): string => model ?? product

function counted(names: readonly string[]): Array<{ name: string; nodes: number }> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, nodes]) => ({ name, nodes })).toSorted((a, b) => compareText(a.name, b.name))
}
