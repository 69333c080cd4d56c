import { modelKey } from '../gpu/product-name.ts'
import { compareText, type Instant, type UsdPerGpuHour } from '../units.ts'
import type { PriceBook, PriceEntry } from './price.ts'

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
    }
  | { readonly kind: 'unknown'; readonly because: string }

type PriceScope = 'pool' | 'cluster' | 'default'

/** What a price is asked for. `model` is a catalog name, or the product as labelled for a board we do not know. */
export type PricedGpu = { readonly cluster: string; readonly pool: string; readonly model: string }

/**
 * The price of one GPU-hour. What an operator set comes before what was shipped, then the narrower entry wins:
 * pool before cluster before default, an entry for the model before one for all models; then the newest, then the id.
 */
export function priceFor(book: PriceBook, gpu: PricedGpu): Price {
  const best = book.filter((entry) => matches(entry, gpu)).toSorted(byPrecedence)[0]
  if (best === undefined) return { kind: 'unknown', because: noPriceFor(gpu) }
  const { price, source, asOf, origin, estimate } = best
  return { kind: 'known', price, source, asOf, origin, scope: scopeOf(best), ...(estimate && { estimate }) }
}

/** `priceFor` of one cluster, each model and pool looked up once. */
export function pricesOf(book: PriceBook, cluster: string): (gpu: Omit<PricedGpu, 'cluster'>) => Price {
  const found = new Map<string, Price>()
  return ({ pool, model }) => {
    const key = `${pool}\u0000${model}`
    const price = found.get(key) ?? priceFor(book, { cluster, pool, model })
    found.set(key, price)
    return price
  }
}

function matches(entry: PriceEntry, gpu: PricedGpu): boolean {
  if (entry.cluster !== undefined && entry.cluster !== gpu.cluster) return false
  if (entry.pool !== undefined && entry.pool !== gpu.pool) return false
  return entry.model === undefined || modelKey(entry.model) === modelKey(gpu.model)
}

const byPrecedence = (a: PriceEntry, b: PriceEntry): number =>
  rankOf(b) - rankOf(a) || b.asOf - a.asOf || compareText(a.id, b.id)

const rankOf = (entry: PriceEntry): number =>
  (entry.origin === 'operator' ? 8 : 0) +
  (entry.pool === undefined ? 0 : 4) +
  (entry.cluster === undefined ? 0 : 2) +
  (entry.model === undefined ? 0 : 1)

const scopeOf = (entry: PriceEntry): PriceScope =>
  entry.pool === undefined ? (entry.cluster === undefined ? 'default' : 'cluster') : 'pool'

const noPriceFor = ({ model, pool }: PricedGpu): string =>
  `No price is known for ${model === '' ? 'this GPU' : model}${pool === '' ? '' : ` in pool ${pool}`}. ` +
  'Its GPU-hours are shown without money until one is set in Settings → Prices.'
