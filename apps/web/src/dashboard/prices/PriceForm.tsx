import { useState } from 'react'

import { tell } from '../../api.ts'
import type { Sent } from '../client/use-sending.ts'
import { SendForm } from '../form/SendForm.tsx'
import { type Draft, draftOf, EMPTY_DRAFT, inputOf } from './price-draft.ts'
import type { Price, UsedPrices } from './price-words.ts'
import { PriceFields } from './PriceFields.tsx'
import { PricePreview } from './PricePreview.tsx'

type Props = {
  readonly edited: Price | undefined
  readonly book: readonly Price[]
  readonly used: UsedPrices
  readonly changed: () => void
}

/** Sets a price; which GPUs it will price, and what a month would cost, is shown before it is sent. */
export function PriceForm({ edited, book, used, changed }: Props) {
  const [draft, setDraft] = useState<Draft>(() => (edited === undefined ? EMPTY_DRAFT : draftOf(edited)))
  const cluster = edited?.cluster ?? undefined
  const put = async (): Promise<Sent> => {
    await tell('pricesPut', inputOf(draft, cluster))
    changed()
    return { done: `Price ${draft.id} saved. Amounts update within seconds.` }
  }
  return (
    <SendForm send={put} submit="Save price">
      <PriceFields
        draft={draft}
        change={(changes) => setDraft({ ...draft, ...changes })}
        used={used}
        isNew={edited === undefined}
      />
      <div className="-mb-1 sm:col-span-2">
        <PricePreview draft={draft} book={book} used={used} cluster={cluster} />
      </div>
    </SendForm>
  )
}
