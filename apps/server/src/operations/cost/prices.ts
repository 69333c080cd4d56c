import {
  Refusal,
  type InputOf,
  type OutputOf,
  type pricesList,
  type pricesPut,
  type pricesRemove,
} from '@septet/contract'
import { instant, type PriceEntry, type PriceStore, shippedPrices, usdPerGpuHour } from '@septet/domain'

import { isoOf } from '../answering/view.ts'
import type { VisibleFacts } from '../answering/visible-facts.ts'

type PriceView = OutputOf<typeof pricesPut>

/** Shipped defaults and what operators have set over them, but for clusters that the caller may not see. */
export async function listPrices(store: PriceStore, seen: VisibleFacts): Promise<OutputOf<typeof pricesList>> {
  const own = (await store.list()).filter(({ cluster }) => cluster === undefined || seen.mayKnow(cluster))
  return { prices: [...own, ...shippedPrices].map(priceView) }
}

/** Sets an operator's price; it is in force with the next analysis. */
export async function putPrice(store: PriceStore, input: InputOf<typeof pricesPut>, now: number): Promise<PriceView> {
  const entry: PriceEntry = {
    id: input.id,
    cluster: input.cluster,
    pool: input.pool,
    model: input.model,
    price: usdPerGpuHour(input.usdPerGpuHour),
    source: input.source,
    asOf: instant(now),
    origin: 'operator',
  }
  await store.put(entry)
  return priceView(entry)
}

/** Removes an operator's price. Shipped prices cannot be removed, only overridden. */
export async function removePrice(
  store: PriceStore,
  input: InputOf<typeof pricesRemove>,
): Promise<OutputOf<typeof pricesRemove>> {
  const known = await store.list()
  if (!known.some((entry) => entry.id === input.id)) {
    throw new Refusal(
      'not-found',
      `No operator has set a price "${input.id}".`,
      'List the prices to see their ids; shipped ones are overridden, not removed.',
    )
  }
  await store.remove(input.id)
  return { removed: input.id }
}

const priceView = (entry: PriceEntry): PriceView => ({
  id: entry.id,
  cluster: entry.cluster ?? null,
  pool: entry.pool ?? null,
  model: entry.model ?? null,
  usdPerGpuHour: entry.price,
  source: entry.source,
  asOf: isoOf(entry.asOf),
  origin: entry.origin,
})
