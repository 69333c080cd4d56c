import type { NodeOffer } from '../cluster/node-offer.ts'
import { findModel } from '../gpu/catalog.ts'
import { modelKey } from '../gpu/product-name.ts'
import { compareText, type Instant, type Ratio, type UsdPerGpuHour, usdPerGpuHour } from '../units.ts'
import { wholePercent } from '../words.ts'
import type { Capacity, PriceBook, PriceEntry } from './price.ts'

/** A price that was found for a GPU, and where it comes from; or why there is none. */
export type Price =
  | {
      readonly kind: 'known'
      readonly price: UsdPerGpuHour
      readonly source: string
      readonly asOf: Instant
      readonly origin: 'shipped' | 'operator'
      /** What the entry was made for. */
      readonly scope: PriceScope
      /** Made from the price of another model, and nobody asks it; left out: no. */
      readonly estimate?: true
      /** Paid for whether it runs or not: reserved, or of one's own. Left out: no, or not known. */
      readonly prepaid?: true
    }
  | { readonly kind: 'unknown'; readonly because: string }

type PriceScope = 'pool' | 'cluster' | 'machine' | 'default'

/** What a price is asked for. `model` is a catalog name, or the product as labelled for a board we do not know. */
export type PricedGpu = Partial<NodeOffer> & {
  readonly cluster: string
  readonly pool: string
  readonly model: string
  /** When; left out: after every date that an entry holds from. */
  readonly at?: Instant | undefined
}

/**
 * The price of one GPU-hour. What an operator set comes before what was shipped, then the narrower entry wins: pool before
 * cluster before machine type before region before capacity type before model; then the one that holds since last, the
 * newest, and the id. What is spot or reserved and has no price of its own is priced as on demand, which its source says.
 * A vGPU for which no operator set a price costs its part of its board.
 */
export function priceFor(book: PriceBook, gpu: PricedGpu): Price {
  const exact = bestFor(book, gpu)
  const { capacity } = gpu
  const part = exact?.origin === 'operator' ? undefined : findModel(gpu.model)?.partOf
  if (part !== undefined) return partOfPrice(priceFor(book, { ...gpu, model: part.board }), part)
  if (exact !== undefined) return found(exact, capacity)
  const listed = capacity === undefined ? undefined : bestFor(book, { ...gpu, capacity: 'on-demand' })
  if (listed === undefined) return { kind: 'unknown', because: noPriceFor(gpu) }
  const source = `${listed.source}; no ${capacity} price is known, so this is the most it can be`
  return found({ ...listed, source }, capacity)
}

function partOfPrice(board: Price, { board: name, share }: { readonly board: string; readonly share: Ratio }): Price {
  if (board.kind === 'unknown') return board
  const source = `${wholePercent(share)} of ${name}; ${board.source}`
  return { ...board, price: usdPerGpuHour(board.price * share), source, estimate: true }
}

const bestFor = (book: PriceBook, gpu: PricedGpu): PriceEntry | undefined =>
  book.filter((entry) => matches(entry, gpu)).toSorted(byPrecedence)[0]

function found(entry: PriceEntry, is: PricedGpu['capacity']): Price {
  const { price, source, asOf, origin, estimate, owned, capacity = is } = entry
  const isPrepaid = is === 'reserved' || capacity === 'reserved' || capacity === 'owned' || owned !== undefined
  return {
    kind: 'known',
    price,
    source,
    asOf,
    origin,
    scope: scopeOf(entry),
    ...(estimate && { estimate }),
    ...(isPrepaid && { prepaid: true }),
  }
}

const matches = (entry: PriceEntry, gpu: PricedGpu): boolean =>
  isForPlace(entry, gpu) && isForMachine(entry, gpu) && holdsAt(entry, gpu.at)

const isForPlace = ({ cluster, pool }: PriceEntry, gpu: PricedGpu): boolean =>
  (cluster === undefined || cluster === gpu.cluster) && (pool === undefined || pool === gpu.pool)

const isForMachine = (entry: PriceEntry, gpu: PricedGpu): boolean =>
  isSame(entry.instanceType, gpu.instanceType) &&
  isSame(entry.region, gpu.region) &&
  (entry.capacity === undefined || mayBe(entry.capacity, gpu.capacity, entry)) &&
  (entry.model === undefined || modelKey(entry.model) === modelKey(gpu.model))

const holdsAt = ({ effectiveFrom }: PriceEntry, at: Instant | undefined): boolean =>
  at === undefined || effectiveFrom === undefined || effectiveFrom <= at

/** Labels and lists spell Azure's sizes in upper and lower case. */
const isSame = (wanted: string | undefined, is: string | undefined): boolean =>
  wanted === undefined || wanted.toLowerCase() === is?.toLowerCase()

/**
 * A node that does not say how it is paid for may be on demand or owned. It may be reserved where the entry names its pool:
 * no label tells of a savings plan or another commitment, so an operator does.
 */
const mayBe = (wanted: Capacity, is: PricedGpu['capacity'], { pool }: PriceEntry): boolean =>
  is === undefined
    ? wanted === 'on-demand' || wanted === 'owned' || (wanted === 'reserved' && pool !== undefined)
    : wanted === is

const byPrecedence = (a: PriceEntry, b: PriceEntry): number =>
  rankOf(b) - rankOf(a) ||
  (b.effectiveFrom ?? Number.MIN_SAFE_INTEGER) - (a.effectiveFrom ?? Number.MIN_SAFE_INTEGER) ||
  b.asOf - a.asOf ||
  compareText(a.id, b.id)

const RANKED = ['model', 'capacity', 'region', 'instanceType', 'cluster', 'pool'] as const

const rankOf = (entry: PriceEntry): number =>
  RANKED.reduce(
    (rank, field, power) => rank + (entry[field] === undefined ? 0 : 2 ** power),
    entry.origin === 'operator' ? 2 ** RANKED.length : 0,
  )

function scopeOf({ pool, cluster, instanceType }: PriceEntry): PriceScope {
  if (pool !== undefined) return 'pool'
  if (cluster !== undefined) return 'cluster'
  return instanceType === undefined ? 'default' : 'machine'
}

const noPriceFor = ({ model, pool }: PricedGpu): string =>
  `No price is known for ${model === '' ? 'this GPU' : model}${pool === '' ? '' : ` in pool ${pool}`}. ` +
  'Its GPU-hours are shown without money until one is set in Settings → Prices.'
