import { money } from '@septet/domain/words'
import { LIMITS } from 'virtual:limits/pricesPut'

import { tell } from '../../api.ts'
import type { Sent } from '../client/use-sending.ts'
import { SchemaFields } from '../form/SchemaFields.tsx'
import { SchemaForm } from '../form/SchemaForm.tsx'
import { Segmented } from '../form/Segmented.tsx'
import { draftOf, orderOf, priceIn, type Draft } from './price-draft.ts'
import { AMOUNT, matchFields, OWNED, SOURCE } from './price-fields.ts'
import type { Price, UsedPrices } from './price-words.ts'
import { PricePreview } from './PricePreview.tsx'

type Props = {
  readonly edited: Price | undefined
  readonly book: readonly Price[]
  readonly used: UsedPrices
  readonly changed: () => void
}

/** Sets a price; which GPUs it will price, and what a month would cost, is shown before it is sent. */
export function PriceForm({ edited, book, used, changed }: Props) {
  const put = async (draft: Draft): Promise<Sent> => {
    await tell('pricesPut', orderOf(draft))
    changed()
    return { done: `Price ${draft.id} saved. Amounts update within seconds.` }
  }
  return (
    <SchemaForm
      limits={LIMITS}
      value={draftOf(edited)}
      fields={(draft: Draft) => matchFields(draft, used, edited === undefined)}
      send={put}
      submit="Save price"
    >
      {(draft, change) => (
        <>
          <Amount draft={draft} change={change} />
          <SchemaFields limits={LIMITS} fields={SOURCE} value={draft} change={change} />
          <div className="-mb-1 sm:col-span-2">
            <PricePreview draft={draft} book={book} used={used} />
          </div>
        </>
      )}
    </SchemaForm>
  )
}

const WAYS = [
  { value: 'given', label: 'I know it' },
  { value: 'owned', label: 'From my own server' },
] as const

type AmountProps = { readonly draft: Draft; readonly change: (edit: (before: Draft) => Draft) => void }

const Amount = ({ draft, change }: AmountProps) => (
  <>
    <div className="grid content-start gap-1.5 sm:col-span-2">
      <span className="text-13 font-medium">Price</span>
      <Segmented
        label="Price"
        options={WAYS}
        value={draft.way}
        // Whoever reckons from a server of their own most likely owns what the price is for.
        onChange={(way) =>
          change(({ capacity = way === 'owned' ? 'owned' : undefined, ...before }) => ({ ...before, capacity, way }))
        }
      />
    </div>
    {draft.way === 'given' ? (
      <SchemaFields limits={LIMITS} fields={AMOUNT} value={draft} change={change} />
    ) : (
      <fieldset className="grid gap-4 sm:col-span-2 sm:grid-cols-4">
        <legend className="mb-3 text-13 font-medium">The server</legend>
        <SchemaFields limits={LIMITS} fields={OWNED} value={draft} change={change} />
        <output className="text-13 sm:col-span-4">{priceWords(draft)}</output>
      </fieldset>
    )}
  </>
)

/** The GPU-hour that comes of a server. */
function priceWords(draft: Draft): string {
  const price = priceIn(draft)
  if (price === undefined || !('capital' in price)) return 'Enter the server’s cost to see the price of a GPU-hour.'
  return `A GPU-hour costs ${money(price.total)}: ${money(price.capital)} server, ${money(price.power)} power and ${money(price.hosting)} hosting, over the server’s whole life.`
}
