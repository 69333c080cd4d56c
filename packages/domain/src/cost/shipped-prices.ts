import { instant } from '../units.ts'
import { LIST_PRICE_SOURCES, LIST_PRICES, type ListPrice } from './list-prices.ts'
import type { PriceBook, PriceEntry } from './price.ts'

const CURRENCY_NOT_STATED: string = LIST_PRICE_SOURCES.seeweb.name

// 2026-08-31: lists without a date were read by then.
const UNDATED_LISTS_READ = instant(1_788_134_400_000)

/**
 * The prices that a new installation starts with, one for each model that somebody lists: the lower median of the listed
 * on-demand prices, so that each is a price which a seller really asks and can be named. Prices for whole machines come
 * first, as they include CPU and memory; prices for the GPU alone are used only where there is no other. A list that does
 * not state its currency is not used, so a model that only such a list has gets no price. One model's list prices differ
 * up to tenfold: an operator's own price is always better.
 */
export const shippedPrices: PriceBook = [...new Set(LIST_PRICES.map(({ model }) => model))].flatMap(
  (model) => shippedPrice(model) ?? [],
)

function shippedPrice(model: string): PriceEntry | undefined {
  const stated = LIST_PRICES.filter((entry) => entry.model === model && entry.source.name !== CURRENCY_NOT_STATED)
  const machines = stated.filter(({ source }) => source.covers === 'machine')
  const listed = (machines.length > 0 ? machines : stated).toSorted((a, b) => a.price - b.price)
  const median = listed[Math.floor((listed.length - 1) / 2)]
  if (median === undefined) return undefined
  return {
    id: `shipped/${model}`,
    cluster: undefined,
    pool: undefined,
    model,
    price: median.price,
    source: sourceOf(median, listed),
    asOf: median.source.asOf ?? UNDATED_LISTS_READ,
    origin: 'shipped',
  }
}

function sourceOf({ source, note }: ListPrice, listed: readonly ListPrice[]): string {
  const machine = note === undefined ? '' : ` (${note})`
  const gpuOnly = source.covers === 'gpu-only' ? '; the machine is charged besides' : ''
  const undated = source.asOf === undefined ? '; undated list' : ''
  return `${source.name}${machine}${gpuOnly}${undated}; ${rangeOf(listed)}`
}

function rangeOf(listed: readonly ListPrice[]): string {
  if (listed.length === 1) return 'the only list price'
  const [lowest, highest] = [listed[0]?.price ?? 0, listed.at(-1)?.price ?? 0]
  if (lowest === highest) return listed.length === 2 ? 'both lists say so' : `all ${listed.length} lists say so`
  return `median of ${listed.length}, $${lowest.toFixed(2)} to $${highest.toFixed(2)}`
}
