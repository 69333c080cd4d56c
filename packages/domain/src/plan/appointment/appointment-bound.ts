import type { ChoiceProblem } from './choose-nodes.ts'
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
const ROUNDS = 3

/** Prices that prove much: each raised to where the bound is highest while the others stand. */
export function pricesFor(problem: ChoiceProblem, binding: readonly string[]): AppointmentPrices {
  const most =
    PRICE_UNIT * Math.max(1, ...problem.nodes.flatMap(({ options }) => options.map((one) => one.evicted.length)))
  const value = valueOf(problem)
  let prices: AppointmentPrices = { place: 0, budgets: Object.fromEntries(binding.map((budget) => [budget, 0])) }
  for (let round = 0; round < (binding.length === 0 ? 1 : ROUNDS); round += 1) {
    const now = prices
    prices = { ...now, place: highest(most, (place) => value({ ...now, place })) }
    for (const budget of binding) {
      const { place, budgets } = prices
      const price = highest(most, (tried) => value({ place, budgets: { ...budgets, [budget]: tried } }))
      prices = { place, budgets: { ...budgets, [budget]: price } }
    }
  }
  return prices
}

/** Where a concave function over whole numbers is highest. */
function highest(most: number, value: (at: number) => number): number {
  let [low, high] = [0, most]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (value(middle) < value(middle + 1)) low = middle + 1
    else high = middle
  }
  return low
}

/** The bound before it is rounded. Nodes with equal options are worked out once. */
function valueOf({ nodes, budgets, places }: ChoiceProblem): (prices: AppointmentPrices) => number {
  const kinds = new Map<string, { count: number; readonly options: readonly Option[] }>()
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
  return ({ place, budgets: priced }) => {
    let worth = place * places
    for (const [budget, price] of Object.entries(priced)) worth -= price * (budgets.get(budget) ?? 0)
    for (const { count, options } of kinds.values()) {
      const earned = options.map(
        (option) =>
          place * option.places -
          option.moves * PRICE_UNIT -
          option.uses.reduce((sum, [budget, used]) => sum + (priced[budget] ?? 0) * used, 0),
      )
      worth -= count * Math.max(0, ...earned)
    }
    return worth
  }
}

type Option = {
  readonly places: number
  readonly moves: number
  readonly uses: ReadonlyArray<readonly [string, number]>
}
