import type { PodId } from '../../cluster/workload.ts'
import { usesOf, type NodeOption } from './node-options.ts'

/** Which nodes could give how many places for which evictions, and how many places are wanted. */
export type ChoiceProblem = {
  readonly nodes: ReadonlyArray<{ readonly name: string; readonly options: readonly NodeOption[] }>
  /** Evictions that each disruption budget allows. */
  readonly budgets: ReadonlyMap<string, number>
  readonly places: number
  /** The most pods that may be evicted. */
  readonly limit: number
}

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

/**
 * The nodes with the fewest evictions, then with the fewest idle GPU-seconds. Disruption budgets are looked away from at
 * first: that answer is a bound, and the best there is where it breaks none. Of each that it breaks, only as many pods count
 * as movable in the next turn as the budget allows, so that it holds; then nothing says that no other pods would do better.
 */
export function chooseNodes(problem: ChoiceProblem): NodeChoice {
  const first = withoutBudgets(problem)
  const wanted = new Set(first.chosen.flatMap(({ option }) => option.evicted.map(({ pod }) => pod)))
  let [narrowed, choice] = [problem, first]
  for (let broken = brokenBudgets(choice, problem); broken.length > 0; broken = brokenBudgets(choice, problem)) {
    narrowed = broken.reduce((rest, budget) => withFewest(rest, budget, wanted), narrowed)
    choice = withoutBudgets(narrowed)
  }
  // A bound for more places than were reached in the end would be none for these.
  return { ...choice, bound: choice.places === first.places ? first.moves : 0, exact: choice === first }
}

type Choice = Omit<NodeChoice, 'bound' | 'exact'>

/** For each number of places the best way, node after node: what is best for fewer is a part of what is best for more (Bellman). */
function withoutBudgets({ nodes, places: wanted, limit }: ChoiceProblem): Choice {
  const moves = new Float64Array(wanted + 1).fill(Infinity)
  const idle = new Float64Array(wanted + 1)
  moves[0] = 0
  const picks = nodes.map(({ options }) => {
    const pick = new Uint16Array(wanted + 1)
    // From many places to few: what a number is made from has fewer, so it does not yet count this node.
    for (let places = wanted; places > 0; places -= 1) {
      for (const [index, option] of options.entries()) {
        if (improve({ moves, idle }, places, option)) pick[places] = index + 1
      }
    }
    return pick
  })
  const reached = moves.findLastIndex((evicted) => evicted < Infinity && evicted <= limit)
  let left = reached
  const chosen = nodes.toReversed().flatMap(({ name, options }, index) => {
    const option = options[(picks.at(-1 - index)?.[left] ?? 0) - 1]
    left -= option?.places ?? 0
    return option === undefined ? [] : [{ name, option }]
  })
  return { places: reached, chosen: chosen.toReversed(), moves: moves[reached] ?? 0, idle: idle[reached] ?? 0 }
}

type Table = { readonly moves: Float64Array; readonly idle: Float64Array }

/** Takes the option for so many places where that is better than what is known for them. */
function improve({ moves, idle }: Table, places: number, option: NodeOption): boolean {
  const evicted = (moves[places - option.places] ?? Infinity) + option.evicted.length
  const idles = (idle[places - option.places] ?? 0) + option.idle
  const most = moves[places] ?? 0
  if (evicted === Infinity || evicted > most || (evicted === most && idles >= (idle[places] ?? 0))) return false
  moves[places] = evicted
  idle[places] = idles
  return true
}

function brokenBudgets({ chosen }: Choice, { budgets }: ChoiceProblem): readonly string[] {
  const uses = new Map<string, number>()
  for (const { option } of chosen)
    for (const [budget, count] of usesOf(option)) uses.set(budget, (uses.get(budget) ?? 0) + count)
  return [...uses].flatMap(([budget, count]) => (count > (budgets.get(budget) ?? 0) ? [budget] : [])).toSorted()
}

/** Without the options that evict other pods of a budget than those it allows: first the ones that are wanted, then the largest. */
function withFewest(problem: ChoiceProblem, budget: string, wanted: ReadonlySet<PodId>): ChoiceProblem {
  const evicted = problem.nodes.flatMap(({ options }) => options.flatMap((option) => option.evicted))
  const pods = new Map(evicted.flatMap((pod) => (pod.budget === budget ? [[pod.pod, pod] as const] : [])))
  const kept = new Set(
    [...pods.values()]
      .toSorted((a, b) => Number(wanted.has(b.pod)) - Number(wanted.has(a.pod)) || b.gpus - a.gpus)
      .slice(0, problem.budgets.get(budget) ?? 0)
      .map(({ pod }) => pod),
  )
  const stays = ({ evicted: own }: NodeOption): boolean =>
    own.every((pod) => pod.budget !== budget || kept.has(pod.pod))
  return { ...problem, nodes: problem.nodes.map((node) => ({ ...node, options: node.options.filter(stays) })) }
}
