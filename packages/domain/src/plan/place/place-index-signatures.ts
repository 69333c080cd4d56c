import { compareText } from '../../units.ts'
import type { PlaceNode } from './place-index-ask.ts'
import type { NodeRules } from '../../cluster/node-rules.ts'
import { emptyDynamic, Market, type MarketGpu } from './place-index-market.ts'
import type { Pile } from './place-index-pile.ts'
import { placeNodeProblem } from './place-node-problem.ts'

/** Sorts nodes by what the filters look at. Labels that nearly every node has its own value of are left to a later look. */
export function groupNodes(nodes: readonly PlaceNode[]): GroupedNodes {
  for (const node of nodes) {
    const problem = placeNodeProblem(node)
    if (problem !== undefined) throw new Error(`${node.id}: ${problem}`)
  }
  const ungrouped = ownLabels(nodes)
  const markets = new Map<string, Market>()
  const signatures = new Map<string, Signature>()
  const signatureOfNode = nodes.map((node) => {
    const labels = Object.fromEntries(
      Object.entries(node.room.labels)
        .filter(([key]) => !ungrouped.has(key))
        .toSorted(([a], [b]) => compareText(a, b)),
    )
    const kinds = [...new Set(node.gpus.map(({ kind }) => kind))].toSorted(compareText)
    const traded = node.board?.key ?? `model ${node.model}`
    const name = JSON.stringify([traded, node.model, node.price ?? 1, kinds, labels, node.room.taints])
    const known = signatures.get(name)
    if (known !== undefined) return known
    const market = markets.get(traded) ?? new Market(node.board)
    markets.set(traded, market)
    const made: Signature = {
      model: node.model,
      rules: { labels, taints: node.room.taints },
      price: node.price ?? 1,
      market,
      empty: kinds.includes('dynamic')
        ? emptyDynamic(market)
        : kinds.includes('whole')
          ? market.shared(-1, 1000)
          : undefined,
      groups: [],
      byState: new Map(),
      byTenant: new Map(),
      byWholeFree: [],
    }
    signatures.set(name, made)
    return made
  })
  return { signatures: [...signatures.values()], markets: [...markets.values()], signatureOfNode, ungrouped }
}

export type GroupedNodes = {
  readonly signatures: readonly Signature[]
  readonly markets: readonly Market[]
  readonly signatureOfNode: readonly Signature[]
  readonly ungrouped: ReadonlySet<string>
}

/** GPUs in one state on nodes with one set of rules. */
export type Group = { readonly state: MarketGpu; readonly pile: Pile }

/** One set of rules, with the groups of its GPUs, and of its nodes by how many GPUs are wholly free. */
export type Signature = {
  readonly model: string
  readonly rules: NodeRules
  readonly price: number
  readonly market: Market
  /** The state of a wholly free GPU; undefined where none can be held whole. */
  readonly empty: MarketGpu | undefined
  readonly groups: Group[]
  readonly byState: Map<MarketGpu, Group>
  readonly byTenant: Map<number, Group[]>
  readonly byWholeFree: Pile[]
}

const MANY_VALUES = 32

/** `kubernetes.io/hostname` and its like. */
function ownLabels(nodes: readonly PlaceNode[]): ReadonlySet<string> {
  const values = new Map<string, Set<string>>()
  for (const { room } of nodes) {
    for (const [key, value] of Object.entries(room.labels)) {
      const met = values.get(key) ?? new Set()
      values.set(key, met.add(value))
    }
  }
  return new Set([...values].filter(([, met]) => met.size > MANY_VALUES).map(([key]) => key))
}
