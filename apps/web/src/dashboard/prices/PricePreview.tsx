import { money } from '@septet/domain/words'
import { instant, monthAt, previewPrice, seconds } from '@septet/domain'

import { DRAFTED, type Draft, entryIn, entryOf, priceIn } from './price-draft.ts'
import { placeOf, type Price, type UsedPrices } from './price-words.ts'

type Props = {
  readonly draft: Draft
  readonly book: readonly Price[]
  readonly used: UsedPrices
}

/** Which GPUs a price would be for, and what a month would cost. */
export function PricePreview({ draft, book, used }: Props) {
  const price = priceIn(draft)
  if (price === undefined)
    return <p className="text-13 text-ink-soft">Enter a price to see which GPUs it applies to.</p>
  const previews = previewPrice({
    uses: used.uses.map((use) => ({ ...use, capacity: use.capacity ?? undefined })),
    book: book.map(entryOf),
    cluster: used.source.id,
    id: draft.id,
    at: used.asOf === null ? undefined : instant(Date.parse(used.asOf)),
    draft: entryIn(draft, price.total),
  })
  const priced = previews.filter(({ after }) => after.kind === 'known' && after.source.startsWith(DRAFTED))
  const [before, after] = (['before', 'after'] as const).map((which) =>
    monthAt(previews, which, seconds(used.observedSeconds)),
  )
  const places = [...new Set(priced.map(placeOf))]
  return (
    <output className="grid gap-1 text-13">
      <span>
        {places.length === 0
          ? 'No GPU in this cluster would use this price: a more specific entry applies, or nothing matches.'
          : `Applies to ${places.join(', ')}.`}
      </span>
      <span className="text-ink-soft">
        A month like this one costs {before === undefined ? 'an unknown amount' : money(before)} now, and{' '}
        {after === undefined ? 'an unknown amount' : money(after)} with it.
      </span>
    </output>
  )
}
