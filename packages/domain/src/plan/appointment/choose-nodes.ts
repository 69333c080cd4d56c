import { pricesFor, PRICE_UNIT } from './appointment-bound.ts'
import type { ChoiceProblem } from './choice-problem.ts'
import { usesOf, type NodeOption } from './node-options.ts'
import { PlaceTable } from './place-table.ts'

export type NodeChoice = {
  /** As many as wanted, or as many as can be had within the limit. */
  readonly places: number
  readonly chosen: ReadonlyArray<{ readonly name: string; readonly option: NodeOption }>
  readonly moves: number
  /** GPU-seconds. */
  readonly idle: number
  /** No choice of so many places evicts fewer pods. */
  readonly bound: number
  /** Whether nothing is better: no fewer evictions, and with as few no fewer idle GPU-seconds. */
  readonly exact: boolean
}

/** Nodes × states that are looked at for one answer; beyond it, disruption budgets that bind leave a gap. */
const MOST_CELLS = 12_000_000

/**
 * The nodes with the fewest evictions, then with the fewest idle GPU-seconds, by trying every choice node after node. At
 * first disruption budgets are looked away from; those that the answer breaks are counted along in the next turn. Every turn
 * leaves out rules only, so what it finds is a bound, and what breaks no budget is the best there is.
 */
export function chooseNodes(problem: ChoiceProblem): NodeChoice {
  const counted = new Map<string, number>()
  for (;;) {
    const choice = solve(problem, counted)
    const broken = brokenBudgets(choice, problem)
    if (broken.length === 0) return { ...choice, bound: choice.moves, exact: true }
    for (const budget of broken) counted.set(budget, problem.budgets.get(budget) ?? 0)
    if (cellsOf(problem, counted) > MOST_CELLS) return withinBudgets(problem, choice)
  }
}

type Solved = Omit<NodeChoice, 'bound' | 'exact'>

function solve({ nodes, places, limit }: ChoiceProblem, counted: ReadonlyMap<string, number>): Solved {
  const table = new PlaceTable(nodes, places, { counted })
  const most = table.mostPlaces(limit)
  const { chosen, cost, idle } = table.choice(most)
  return { places: most, chosen, moves: cost, idle }
}

const cellsOf = ({ nodes, places }: ChoiceProblem, counted: ReadonlyMap<string, number>): number =>
  [...counted.values()].reduce((product, allowed) => product * (allowed + 1), nodes.length * (places + 1))

function brokenBudgets({ chosen }: Solved, { budgets }: ChoiceProblem): readonly string[] {
  const uses = new Map<string, number>()
  for (const { option } of chosen)
    for (const [budget, count] of usesOf(option)) uses.set(budget, (uses.get(budget) ?? 0) + count)
  return [...uses].flatMap(([budget, count]) => (count > (budgets.get(budget) ?? 0) ? [budget] : [])).toSorted()
}

/**
 * Where too many budgets bind: of each that is broken only as many pods count as movable as it allows, so that it holds;
 * first those that leave where evictions cost what the budgets' prices say, then the largest.
 */
function withinBudgets(problem: ChoiceProblem, relaxed: Solved): NodeChoice {
  const wanted = pricedEvictions(problem, relaxed.places)
  let narrowed = problem
  let choice = relaxed
  for (let broken = brokenBudgets(choice, narrowed); broken.length > 0; broken = brokenBudgets(choice, narrowed)) {
    for (const budget of broken) narrowed = withFewest(narrowed, budget, wanted)
    choice = solve(narrowed, new Map())
  }
  // A bound for more places than were reached in the end would be none for these.
  return { ...choice, bound: choice.places === relaxed.places ? relaxed.moves : 0, exact: false }
}

/** Who leaves when each eviction also costs what its budget is worth: few of a budget that is short. */
function pricedEvictions(problem: ChoiceProblem, places: number): ReadonlySet<string> {
  const { budgets } = pricesFor({ ...problem, places })
  const costOf = ({ evicted }: NodeOption): number =>
    evicted.reduce((sum, { budget = '' }) => sum + PRICE_UNIT + (budgets[budget] ?? 0), 0)
  const table = new PlaceTable(problem.nodes, places, { counted: new Map(), costOf })
  return new Set(table.choice(places).chosen.flatMap(({ option }) => option.evicted.map(({ pod }) => pod)))
}

/** Options that evict other pods of the budget than those that it allows are gone. */
function withFewest(problem: ChoiceProblem, budget: string, wanted: ReadonlySet<string>): ChoiceProblem {
  const pods = new Map(
    problem.nodes.flatMap(({ options }) =>
      options.flatMap(({ evicted }) =>
        evicted.flatMap((pod) => (pod.budget === budget ? [[pod.pod, pod] as const] : [])),
      ),
    ),
  )
  const kept = new Set(
    [...pods.values()]
      .toSorted((a, b) => Number(wanted.has(b.pod)) - Number(wanted.has(a.pod)) || b.gpus - a.gpus)
      .slice(0, problem.budgets.get(budget) ?? 0)
      .map(({ pod }) => pod),
  )
  const stays = ({ evicted }: NodeOption): boolean => evicted.every((pod) => pod.budget !== budget || kept.has(pod.pod))
  return {
    ...problem,
    nodes: problem.nodes.map((node) => ({ ...node, options: node.options.filter(stays) })),
  }
}
