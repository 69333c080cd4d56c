import type { ChoiceProblem } from './choice-problem.ts'
import { usesOf } from './node-options.ts'

/**
 * A price in evictions for one place of the appointment, and for one eviction that a disruption budget allows, in whole
 * multiples of 1/`PRICE_UNIT`.
 */
export type AppointmentPrices = {
  readonly place: number
  readonly budgets: Readonly<Record<string, number>>
}

/** Divides by everything up to ten, so that an eviction shared among the places of a node is a whole number. */
export const PRICE_UNIT = 2520

/**
 * The fewest evictions that any choice of nodes takes, proven by prices with whole numbers only: each node costs its
 * evictions and earns the price of its places, so no node can earn more than on its best option, and what all places are
 * worth beyond that has to be paid in evictions. Any prices prove something true (weak duality), bad ones little. It rests on
 * the options of each node alone: how they were found need not be believed.
 */
export function checkAppointmentBound(
  { nodes, budgets, places }: ChoiceProblem,
  { place, budgets: priced }: AppointmentPrices,
): number {
  let worth = place * places
  for (const [budget, price] of Object.entries(priced)) {
    if (!isPrice(price)) return 0
    worth -= price * (budgets.get(budget) ?? 0)
  }
  if (!isPrice(place)) return 0
  for (const { options } of nodes) {
    let best = 0
    for (const option of options) {
      let earned = place * option.places - option.evicted.length * PRICE_UNIT
      for (const [budget, count] of usesOf(option)) earned -= (priced[budget] ?? 0) * count
      best = Math.max(best, earned)
    }
    worth -= best
  }
  return Math.max(0, Math.ceil(worth / PRICE_UNIT))
}

const isPrice = (price: number): boolean => Number.isSafeInteger(price) && price >= 0

/** Times that every price is looked for again while the others stand. */
const ROUNDS = 4

/** Prices that prove much: each raised to where the bound is highest while the others stand. */
export function pricesFor(problem: ChoiceProblem): AppointmentPrices {
  const kinds = kindsOf(problem)
  const users = new Map<string, Kind[]>()
  for (const kind of kinds)
    for (const budget of new Set(kind.options.flatMap(({ uses }) => uses.map(([name]) => name))))
      users.set(budget, [...(users.get(budget) ?? []), kind])
  const most = PRICE_UNIT * Math.max(1, ...kinds.flatMap(({ options }) => options.map(({ moves }) => moves)))
  const budgets = new Map([...users.keys()].toSorted().map((budget) => [budget, 0]))
  let place = 0
  for (let round = 0; round < (budgets.size === 0 ? 1 : ROUNDS); round += 1) {
    place = highest(most, (tried) => tried * problem.places - earnings(kinds, tried, budgets))
    for (const budget of budgets.keys()) {
      const own = users.get(budget) ?? []
      const allowed = problem.budgets.get(budget) ?? 0
      const price = highest(most, (tried) => {
        budgets.set(budget, tried)
        return -tried * allowed - earnings(own, place, budgets)
      })
      budgets.set(budget, price)
    }
  }
  const worth = [...budgets].filter(([, price]) => price > 0)
  return { place, budgets: Object.fromEntries(worth) }
}

/** Where a concave function over whole numbers is highest; of equals the lowest. */
function highest(most: number, value: (at: number) => number): number {
  let [low, high] = [0, most]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (value(middle) < value(middle + 1)) low = middle + 1
    else high = middle
  }
  return low
}

/** Nodes with equal options, which are worked out once. */
type Kind = { count: number; readonly options: readonly Option[] }

type Option = {
  readonly places: number
  readonly moves: number
  readonly uses: ReadonlyArray<readonly [string, number]>
}

function kindsOf({ nodes }: ChoiceProblem): readonly Kind[] {
  const kinds = new Map<string, Kind>()
  for (const { options } of nodes) {
    const own = options.map((option): Option => ({
      places: option.places,
      moves: option.evicted.length,
      uses: [...usesOf(option)],
    }))
    const key = JSON.stringify(own)
    const kind = kinds.get(key)
    if (kind === undefined) kinds.set(key, { count: 1, options: own })
    else kind.count += 1
  }
  return [...kinds.values()]
}

/** What nodes earn on their best options at these prices. */
function earnings(kinds: readonly Kind[], place: number, budgets: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const { count, options } of kinds) {
    let best = 0
    for (const option of options) {
      let earned = place * option.places - option.moves * PRICE_UNIT
      for (const [budget, used] of option.uses) earned -= (budgets.get(budget) ?? 0) * used
      best = Math.max(best, earned)
    }
    sum += count * best
  }
  return sum
}
