import type { Seconds, Usd } from '../units.ts'
import { perMonth } from './per-month.ts'
import { type Price, priceFor } from './price-book.ts'
import type { PriceBook, PriceEntry } from './price.ts'

/** GPUs of one model and pool, and how many GPU-hours of them were ready. */
type PricedUse = { readonly model: string; readonly pool: string; readonly gpuHours: number }

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
}

/** The price of everything in use before and after one entry is set or removed. */
export function previewPrice({ uses, book, cluster, draft, id }: PreviewSources): PricePreview[] {
  const rest = book.filter((entry) => entry.id !== id)
  const changed = draft === undefined ? rest : [...rest, draft]
  return uses.map((use) => ({
    ...use,
    before: priceFor(book, { cluster, ...use }),
    after: priceFor(changed, { cluster, ...use }),
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
