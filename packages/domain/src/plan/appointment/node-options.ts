import { compareText, type Seconds } from '../../units.ts'
import { evictionLead, type MovablePod, type SupplyNode } from './supply.ts'

/** One way to use a node: so many places of the appointment, for the pods that leave. */
export type NodeOption = {
  readonly places: number
  readonly evicted: readonly MovablePod[]
  /** GPU-seconds that stand idle behind the fence. */
  readonly idle: number
}

/**
 * Every way to use a node that some plan could want: for each number of places, and for each mixture of disruption budgets
 * that evictions take from, the one with fewest evictions, then with fewest idle GPU-seconds.
 */
export function nodeOptions(
  node: SupplyNode,
  { perNode, length }: { readonly perNode: number; readonly length: Seconds },
): readonly NodeOption[] {
  const best = new Map<string, NodeOption>()
  for (const evicted of evictionsOf(node.movable)) {
    const freed = evicted.reduce((sum, { gpus }) => sum + gpus, 0)
    const lead = evicted.length === 0 ? 0 : evictionLead(evicted)
    const least = evicted.length === 0 ? 0 : Math.min(...evicted.map(({ gpus }) => gpus))
    // With fewer places one of the pods could stay.
    const fewer = evicted.length === 0 ? 0 : Math.floor((node.free + freed - least) / perNode)
    for (let places = Math.floor((node.free + freed) / perNode); places > fewer; places -= 1) {
      // The cordon closes the whole node, so what is free beside the places is idle too, to the end.
      const beside = (node.free + freed - places * perNode) * length
      const idle = (node.idleBefore + freed * lead + beside) * node.share
      const option = { places, evicted, idle }
      const key = `${places} ${evicted.map(({ budget = '-' }) => `${budget} `).join('')}`
      const before = best.get(key)
      if (before === undefined || option.idle < before.idle) best.set(key, option)
    }
  }
  const byPlaces = Map.groupBy(best.values(), ({ places }) => places)
  return [...byPlaces.values()].flatMap((own) => own.filter((one) => !own.some((other) => isBetter(other, one))))
}

/** Sets of pods to evict. Of pods with as many GPUs and one budget the first are taken: which of them is all the same. */
function evictionsOf(movable: readonly MovablePod[]): readonly (readonly MovablePod[])[] {
  const alike = Map.groupBy(movable, ({ gpus, budget }) => `${gpus} ${budget ?? ''}`)
  let sets: (readonly MovablePod[])[] = [[]]
  for (const group of alike.values()) {
    const ordered = group.toSorted((a, b) => a.grace - b.grace || compareText(a.pod, b.pod))
    sets = sets.flatMap((set) => [set, ...ordered.map((_, last) => [...set, ...ordered.slice(0, last + 1)])])
  }
  return sets.map((set) => set.toSorted((a, b) => compareText(a.budget ?? '', b.budget ?? '')))
}

/** Whether one of two options with as many places moves fewer, or as few and idles no more, and takes no more of any budget. */
function isBetter(one: NodeOption, other: NodeOption): boolean {
  if (one === other || one.evicted.length > other.evicted.length) return false
  if (one.evicted.length === other.evicted.length && one.idle > other.idle) return false
  const left = usesOf(other)
  return [...usesOf(one)].every(([budget, count]) => count <= (left.get(budget) ?? 0))
}

/** How many evictions an option takes from each disruption budget. */
export function usesOf({ evicted }: NodeOption): ReadonlyMap<string, number> {
  const uses = new Map<string, number>()
  for (const { budget } of evicted) if (budget !== undefined) uses.set(budget, (uses.get(budget) ?? 0) + 1)
  return uses
}
