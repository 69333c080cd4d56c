import { instant, ownedPrice, usdPerGpuHour, type OwnedHardware, type PriceEntry } from '@septet/domain'

import type { Order } from '../../api.ts'
import type { Price } from './price-words.ts'

/** A price as it is typed. */
export type Draft = {
  readonly id: string
  readonly model: string
  readonly pool: string
  readonly instanceType: string
  readonly region: string
  readonly capacity: Capacity
  /** A day; empty: always. */
  readonly effectiveFrom: string
  /** Whether the price is given, or reckoned from one's own hardware. */
  readonly way: 'given' | 'owned'
  readonly price: string
  readonly owned: Readonly<Record<keyof OwnedHardware, string>>
  readonly source: string
}
type Capacity = '' | NonNullable<Price['capacity']>

export const EMPTY_DRAFT: Draft = {
  id: '',
  model: '',
  pool: '',
  instanceType: '',
  region: '',
  capacity: '',
  effectiveFrom: '',
  way: 'given',
  price: '',
  // What is usual; the amounts of money are the owner's to say.
  owned: {
    purchaseUsd: '',
    residualUsd: '0',
    gpus: '8',
    lifeYears: '4',
    powerKw: '8.5',
    pue: '1.5',
    usdPerKwh: '0.10',
    hostingUsdPerMonth: '0',
  },
  source: '',
}

/** An entry of the book, to be changed. */
export const draftOf = ({ id, model, pool, usdPerGpuHour: price, source, ...of }: Price): Draft => ({
  id,
  model: model ?? '',
  pool: pool ?? '',
  instanceType: of.instanceType ?? '',
  region: of.region ?? '',
  capacity: of.capacity ?? '',
  effectiveFrom: of.effectiveFrom?.slice(0, 10) ?? '',
  way: of.owned === null ? 'given' : 'owned',
  price: price.toString(),
  owned: of.owned === null ? EMPTY_DRAFT.owned : textsOf(of.owned),
  source,
})

const textsOf = (hardware: OwnedHardware): Draft['owned'] => ({
  purchaseUsd: String(hardware.purchaseUsd),
  residualUsd: String(hardware.residualUsd),
  gpus: String(hardware.gpus),
  lifeYears: String(hardware.lifeYears),
  powerKw: String(hardware.powerKw),
  pue: String(hardware.pue),
  usdPerKwh: String(hardware.usdPerKwh),
  hostingUsdPerMonth: String(hardware.hostingUsdPerMonth),
})

export const hardwareIn = ({ owned }: Draft): OwnedHardware => ({
  purchaseUsd: Number(owned.purchaseUsd),
  residualUsd: Number(owned.residualUsd),
  gpus: Number(owned.gpus),
  lifeYears: Number(owned.lifeYears),
  powerKw: Number(owned.powerKw),
  pue: Number(owned.pue),
  usdPerKwh: Number(owned.usdPerKwh),
  hostingUsdPerMonth: Number(owned.hostingUsdPerMonth),
})

/** USD for a GPU-hour; undefined while it is not known. */
export function priceIn(draft: Draft): number | undefined {
  const hardware = hardwareIn(draft)
  // Without what the server cost there would be a price, of its power alone.
  if (draft.way === 'owned' && hardware.purchaseUsd <= hardware.residualUsd) return undefined
  const price = draft.way === 'given' ? Number(draft.price) : ownedPrice(hardware).total
  return price > 0 && Number.isFinite(price) ? price : undefined
}

/** What is sent. */
export const inputOf = (draft: Draft, cluster: string | undefined): Order<'pricesPut'> => ({
  id: draft.id,
  source: draft.source,
  ...(draft.way === 'given' ? { usdPerGpuHour: Number(draft.price) } : { owned: hardwareIn(draft) }),
  ...(cluster === undefined ? {} : { cluster }),
  ...(draft.model === '' ? {} : { model: draft.model }),
  ...(draft.pool === '' ? {} : { pool: draft.pool }),
  ...(draft.instanceType === '' ? {} : { instanceType: draft.instanceType }),
  ...(draft.region === '' ? {} : { region: draft.region }),
  ...(draft.capacity === '' ? {} : { capacity: draft.capacity }),
  ...(draft.effectiveFrom === '' ? {} : { effectiveFrom: draft.effectiveFrom }),
})

/** What a drafted entry calls its source, so that it is told from those that are there. */
export const DRAFTED = 'this entry'

/** The entry as it would be. One that begins later is looked at as if it held already. */
export const entryIn = (draft: Draft, price: number, cluster: string | undefined): PriceEntry => ({
  id: draft.id,
  cluster,
  pool: draft.pool === '' ? undefined : draft.pool,
  model: draft.model === '' ? undefined : draft.model,
  instanceType: draft.instanceType === '' ? undefined : draft.instanceType,
  region: draft.region === '' ? undefined : draft.region,
  capacity: draft.capacity === '' ? undefined : draft.capacity,
  price: usdPerGpuHour(price),
  source: DRAFTED,
  asOf: instant(Number.MAX_SAFE_INTEGER),
  origin: 'operator',
})

/** An entry of the book, as the domain looks prices up in. */
export const entryOf = ({
  id,
  cluster,
  pool,
  model,
  usdPerGpuHour: price,
  source,
  asOf,
  origin,
  ...of
}: Price): PriceEntry => ({
  id,
  cluster: cluster ?? undefined,
  pool: pool ?? undefined,
  model: model ?? undefined,
  instanceType: of.instanceType ?? undefined,
  region: of.region ?? undefined,
  capacity: of.capacity ?? undefined,
  effectiveFrom: of.effectiveFrom === null ? undefined : instant(Date.parse(of.effectiveFrom)),
  price: usdPerGpuHour(price),
  source,
  asOf: instant(Date.parse(asOf)),
  origin,
})
