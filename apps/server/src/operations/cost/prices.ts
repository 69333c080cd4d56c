import { type InputOf, type OutputOf, type pricesPut, invalidInput, notFound } from '@septet/contract'
import { instant, offerOf, ownedPrice, type PriceEntry, type Store, shippedPrices, usdPerGpuHour } from '@septet/domain'

import { isoOf, isoOrNull } from '../answering/view.ts'
import type { VisibleFacts } from '../answering/source.ts'
import type { AnswersOf } from '../answering/answering.ts'

type PriceView = OutputOf<typeof pricesPut>

type Needs = { readonly store: Pick<Store, 'prices'>; readonly now: () => number }

/** What a GPU-hour costs. */
export const priceAnswers = ({ store, now }: Needs): AnswersOf<'pricesList' | 'pricesPut' | 'pricesRemove'> => ({
  /**
   * Shipped defaults and what operators have set over them, but for clusters that the caller may not see. There are well over
   * a thousand shipped prices of machines: unless all are asked for, only those of machines that are here.
   */
  async pricesList({ machines }, { seen }) {
    const own = (await store.prices.list()).filter(({ cluster }) => cluster === undefined || seen.mayKnow(cluster))
    const here = machines === 'all' ? undefined : machinesIn(seen)
    const shipped = shippedPrices.filter(
      ({ instanceType }) => instanceType === undefined || here === undefined || here.has(instanceType.toLowerCase()),
    )
    return { prices: [...own, ...shipped].map(priceView) }
  },
  /** Sets an operator's price; it is in force with the next analysis. */
  async pricesPut(input) {
    const entry: PriceEntry = {
      id: input.id,
      cluster: input.cluster,
      pool: input.pool,
      model: input.model,
      ...given('instanceType', input.instanceType),
      ...given('region', input.region),
      ...given('capacity', input.capacity),
      ...given(
        'effectiveFrom',
        input.effectiveFrom === undefined ? undefined : instant(Date.parse(input.effectiveFrom)),
      ),
      price: priceOf(input),
      ...given('owned', input.owned),
      source: input.source,
      asOf: instant(now()),
      origin: 'operator',
    }
    await store.prices.put(entry)
    return priceView(entry)
  },
  /** Removes an operator's price. Shipped prices cannot be removed, only overridden. */
  async pricesRemove(input) {
    const known = await store.prices.list()
    if (!known.some((entry) => entry.id === input.id)) {
      throw notFound(
        `No operator has set a price "${input.id}".`,
        'List the prices to see their ids; shipped ones are overridden, not removed.',
      )
    }
    await store.prices.remove(input.id)
    return { removed: input.id }
  },
})

const machinesIn = (seen: VisibleFacts): ReadonlySet<string> =>
  new Set(
    seen
      .clusters()
      .flatMap((cluster) => cluster.picture()?.nodes ?? [])
      .map((node) => offerOf(node).instanceType.toLowerCase()),
  )

/** What was given, or what is reckoned from one's own hardware. */
function priceOf({ usdPerGpuHour: price, owned }: InputOf<typeof pricesPut>): PriceEntry['price'] {
  if (price !== undefined && owned === undefined) return usdPerGpuHour(price)
  if (price === undefined && owned !== undefined) return ownedPrice(owned).total
  throw invalidInput(
    price === undefined
      ? 'It contains no price.'
      : 'It has both a price and hardware costs to derive one from, and they may differ.',
    'Set usdPerGpuHour or owned, not both.',
  )
}

/** Nothing where there is nothing: a field that is there and empty is not the same as none. */
const given = <Name extends string, Value>(name: Name, value: Value | undefined): Partial<Record<Name, Value>> => {
  const fields: Partial<Record<Name, Value>> = {}
  if (value !== undefined) fields[name] = value
  return fields
}

const priceView = (entry: PriceEntry): PriceView => ({
  id: entry.id,
  cluster: entry.cluster ?? null,
  pool: entry.pool ?? null,
  model: entry.model ?? null,
  instanceType: entry.instanceType ?? null,
  region: entry.region ?? null,
  capacity: entry.capacity ?? null,
  effectiveFrom: isoOrNull(entry.effectiveFrom),
  usdPerGpuHour: entry.price,
  source: entry.source,
  asOf: isoOf(entry.asOf),
  origin: entry.origin,
  estimate: entry.estimate ?? false,
  owned: entry.owned ?? null,
})
