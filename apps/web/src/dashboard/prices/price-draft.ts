import { instant, ownedPrice, usdPerGpuHour, type OwnedHardware, type PriceEntry } from '@septet/domain'

import type { Order } from '../../api.ts'
import type { ShownPrice } from './price-words.ts'

/** A price as it is typed. */
export type Draft = Omit<Order<'pricesPut'>, 'owned'> & {
  /** Whether the price is given, or reckoned from one's own hardware. */
  readonly way: 'given' | 'owned'
  readonly owned: Omit<OwnedHardware, 'purchaseUsd'> & { readonly purchaseUsd?: number | undefined }
}

const EMPTY: Draft = {
  id: '',
  way: 'given',
  // What is usual; the amounts of money are the owner's to say.
  owned: { residualUsd: 0, gpus: 8, lifeYears: 4, powerKw: 8.5, pue: 1.5, usdPerKwh: 0.1, hostingUsdPerMonth: 0 },
  source: '',
}

/** An entry of the book, to be changed; without one, a new one. */
export function priceDraftOf(price: ShownPrice | undefined): Draft {
  if (price === undefined) return EMPTY
  return {
    ...placed(price),
    usdPerGpuHour: price.usdPerGpuHour,
    effectiveFrom: price.effectiveFrom?.slice(0, 10),
    way: price.owned === null ? 'given' : 'owned',
    owned: price.owned ?? EMPTY.owned,
  }
}

/** What an entry is for, and where it is from. */
const placed = ({ id, cluster, pool, model, instanceType, region, capacity, source }: ShownPrice) => ({
  id,
  cluster: cluster ?? undefined,
  pool: pool ?? undefined,
  model: model ?? undefined,
  instanceType: instanceType ?? undefined,
  region: region ?? undefined,
  capacity: capacity ?? undefined,
  source,
})

type OwnPrice = { readonly total: number } | ReturnType<typeof ownedPrice>

/** USD for a GPU-hour, and of a server of one's own also what it is made of; undefined while it is not known. */
export function priceIn({ way, usdPerGpuHour: given = 0, owned }: Draft): OwnPrice | undefined {
  if (way === 'given') return given > 0 ? { total: given } : undefined
  const { purchaseUsd = 0 } = owned
  // Without what the server cost there would be a price, of its power alone.
  return purchaseUsd > owned.residualUsd ? ownedPrice({ ...owned, purchaseUsd }) : undefined
}

/** What is sent. */
export function orderOf({ way, owned, usdPerGpuHour: given, ...order }: Draft): Order<'pricesPut'> {
  const { purchaseUsd = 0 } = owned
  return way === 'given' ? { ...order, usdPerGpuHour: given } : { ...order, owned: { ...owned, purchaseUsd } }
}

/** What a drafted entry calls its source, so that it is told from those that are there. */
export const DRAFTED = 'this entry'

/** The entry as it would be. One that begins later is looked at as if it held already. */
export const entryIn = ({ way: _way, owned: _owned, ...draft }: Draft, price: number): PriceEntry => ({
  ...draft,
  cluster: draft.cluster,
  pool: draft.pool,
  model: draft.model,
  effectiveFrom: undefined,
  price: usdPerGpuHour(price),
  source: DRAFTED,
  asOf: instant(Number.MAX_SAFE_INTEGER),
  origin: 'operator',
})

/** An entry of the book, as the domain looks prices up in. */
export const entryOf = (price: ShownPrice): PriceEntry => ({
  ...placed(price),
  effectiveFrom: price.effectiveFrom === null ? undefined : instant(Date.parse(price.effectiveFrom)),
  price: usdPerGpuHour(price.usdPerGpuHour),
  asOf: instant(Date.parse(price.asOf)),
  origin: price.origin,
})
