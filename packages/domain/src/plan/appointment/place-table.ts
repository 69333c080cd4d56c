import { usesOf, type NodeOption } from './node-options.ts'

type Counting = {
  /** Disruption budgets that are counted along, with what they allow. */
  readonly counted: ReadonlyMap<string, number>
  /** What is to be least; the number of evictions unless told. */
  readonly costOf?: (option: NodeOption) => number
}

const evictions = ({ evicted }: NodeOption): number => evicted.length

type OptionNode = { readonly name: string; readonly options: readonly NodeOption[] }

/** One option with what it takes from the budgets that are counted, by their place in the list. */
type Weighed = {
  readonly option: NodeOption
  readonly cost: number
  readonly uses: readonly number[]
  readonly back: number
}

/**
 * For every number of places, and every use of the budgets that are counted, the least cost, in evictions, and then the fewest idle
 * GPU-seconds, node after node. What is best for fewer places on fewer nodes is a part of what is best for more (Bellman).
 */
export class PlaceTable {
  readonly #nodes: readonly OptionNode[]
  readonly #places: number
  readonly #allowed: readonly number[]
  readonly #budgets: readonly string[]
  /** How the counted budgets can be used: as many as there are mixtures. */
  readonly #mixtures: number
  readonly #costs: Float64Array
  readonly #idle: Float64Array
  /** For each node and state the option taken, from 1; 0: the node is left alone. */
  readonly #picks: Uint16Array[] = []
  readonly #weighed: (readonly Weighed[])[] = []

  constructor(nodes: readonly OptionNode[], places: number, { counted, costOf = evictions }: Counting) {
    this.#nodes = nodes
    this.#places = places
    this.#budgets = [...counted.keys()]
    this.#allowed = [...counted.values()]
    this.#mixtures = this.#allowed.reduce((product, allowed) => product * (allowed + 1), 1)
    this.#costs = new Float64Array((places + 1) * this.#mixtures).fill(Infinity)
    this.#idle = new Float64Array((places + 1) * this.#mixtures)
    this.#costs[0] = 0
    let reached = 0
    for (const node of nodes) {
      const weighed = node.options.map((option) => this.#weigh(option, costOf(option)))
      this.#weighed.push(weighed)
      reached = Math.min(places, reached + Math.max(0, ...node.options.map((option) => option.places)))
      this.#add(weighed, reached)
    }
  }

  /** The most places that so many evictions give, at most as many as wanted. */
  mostPlaces(limit: number): number {
    const isWithin = (cost = Infinity): boolean => cost !== Infinity && cost <= limit
    let places = this.#places
    while (places > 0 && !isWithin(this.#costs[this.#bestAt(places)])) places -= 1
    return places
  }

  /** The best way to have exactly so many places. */
  choice(places: number) {
    let state = this.#bestAt(places)
    const cost = this.#costs[state] ?? Infinity
    const idle = this.#idle[state] ?? 0
    const chosen: { readonly name: string; readonly option: NodeOption }[] = []
    for (let node = this.#nodes.length - 1; node >= 0; node -= 1) {
      const pick = this.#picks[node]?.[state] ?? 0
      const weighed = this.#weighed[node]?.[pick - 1]
      const name = this.#nodes[node]?.name
      if (weighed === undefined || name === undefined) continue
      chosen.push({ name, option: weighed.option })
      state -= weighed.back
    }
    return { chosen: chosen.toReversed(), cost, idle }
  }

  #weigh(option: NodeOption, cost: number): Weighed {
    const own = usesOf(option)
    const uses = this.#budgets.map((budget) => own.get(budget) ?? 0)
    let step = 1
    let back = option.places * this.#mixtures
    for (const [index, use] of uses.entries()) {
      back += use * step
      step *= (this.#allowed[index] ?? 0) + 1
    }
    return { option, cost, uses, back }
  }

  /** From many places to few: what a state is made from has fewer, so it does not yet count this node. */
  #add(weighed: readonly Weighed[], reached: number): void {
    const picks = new Uint16Array(this.#costs.length)
    for (let state = (reached + 1) * this.#mixtures - 1; state >= this.#mixtures; state -= 1) {
      for (const [index, each] of weighed.entries()) if (this.#improves(state, each)) picks[state] = index + 1
    }
    this.#picks.push(picks)
  }

  #improves(state: number, { option, cost: own, uses, back }: Weighed): boolean {
    const from = state - back
    if (from < 0 || !this.#fits(state % this.#mixtures, uses)) return false
    const cost = (this.#costs[from] ?? Infinity) + own
    const idle = (this.#idle[from] ?? 0) + option.idle
    if (cost === Infinity || !this.#isLess(cost, idle, state)) return false
    this.#costs[state] = cost
    this.#idle[state] = idle
    return true
  }

  #isLess(cost: number, idle: number, state: number): boolean {
    const before = this.#costs[state] ?? Infinity
    return cost < before || (cost === before && idle < (this.#idle[state] ?? 0))
  }

  #fits(mixture: number, uses: readonly number[]): boolean {
    let left = mixture
    for (const [index, use] of uses.entries()) {
      const base = (this.#allowed[index] ?? 0) + 1
      if (left % base < use) return false
      left = Math.floor(left / base)
    }
    return true
  }

  #bestAt(places: number): number {
    const first = places * this.#mixtures
    let best = first
    for (let state = first + 1; state < first + this.#mixtures; state += 1) {
      if (this.#isLess(this.#costs[state] ?? Infinity, this.#idle[state] ?? 0, best)) best = state
    }
    return best
  }
}
