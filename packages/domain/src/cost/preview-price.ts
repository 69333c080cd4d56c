import type { NodeOffer } from '../cluster/node-offer.ts'
import type { Instant, Seconds, Usd } from '../units.ts'
import { perMonth } from './per-month.ts'
import { type Price, priceFor } from './price-book.ts'
import type { PriceBook, PriceEntry } from './price.ts'

/** GPUs of one model, pool and machine, and how many GPU-hours of them were ready. */
type PricedUse = Partial<NodeOffer> & { readonly model: string; readonly pool: string; readonly gpuHours: number }

/** What a change of the price book would do to one model and pool. */
export type PricePreview = PricedUse & { readonly before: Price; readonly after: Price }

export type PreviewSources = {
  readonly uses: readonly PricedUse[]
  readonly book: PriceBook
  readonly cluster: string
  /** The entry as it would be; undefined to see what is left without the one of this id. */
  readonly draft: PriceEntry | undefined
  /** The entry that is replaced or removed. */
  readonly id: string
  /** At the prices of which time; undefined: after all changes. */
  readonly at: Instant | undefined
}

/** The price of everything in use before and after one entry is set or removed. */
export function previewPrice({ uses, book, cluster, draft, id, at }: PreviewSources): PricePreview[] {
  const rest = book.filter((entry) => entry.id !== id)
  const changed = draft === undefined ? rest : [...rest, draft]
  return uses.map((use) => ({
    ...use,
    before: priceFor(book, { cluster, at, ...use }),
    after: priceFor(changed, { cluster, at, ...use }),
  }))
}

/** What a month of the same use costs; undefined where too little was seen, or no GPU has a price. */
export function monthAt(
  previews: readonly PricePreview[],
  which: 'before' | 'after',
  observed: Seconds,
): Usd | undefined {
  const priced = previews.flatMap((preview) => {
    const price = preview[which]
    return price.kind === 'known' ? [price.price * preview.gpuHours] : []
  })
  return priced.length === 0
    ? undefined
    : perMonth(
        priced.reduce((sum, amount) => sum + amount, 0),
        observed,
      )
}
