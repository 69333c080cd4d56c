import { instant, monthAt, previewPrice, seconds } from '@septet/domain'
import { money } from '@septet/domain/words'
import { LIMITS } from 'virtual:limits/pricesPut'

import { tell } from '../../api.ts'
import type { Sent } from '../client/use-sending.ts'
import { type FieldOf, SchemaFields } from '../form/SchemaFields.tsx'
import { SchemaForm } from '../form/SchemaForm.tsx'
import { Segmented } from '../form/Segmented.tsx'
import { type Draft, DRAFTED, priceDraftOf, entryIn, entryOf, orderOf, priceIn } from './price-draft.ts'
import { CAPACITY_WORDS, pricePlace, type ShownPrice, type UsedPrices } from './price-words.ts'

type Props = {
  readonly edited: ShownPrice | undefined
  readonly book: readonly ShownPrice[]
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
      value={priceDraftOf(edited)}
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
        // Anyone who reckons from a server of their own most likely owns what the price is for.
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

type PreviewProps = {
  readonly draft: Draft
  readonly book: readonly ShownPrice[]
  readonly used: UsedPrices
}

/** Which GPUs a price would be for, and what a month would cost. */
function PricePreview({ draft, book, used }: PreviewProps) {
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
  const places = [...new Set(priced.map(pricePlace))]
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

type Field = FieldOf<Draft>

/** What a price is called, what it is for, and from when. */
const matchFields = (draft: Draft, { uses }: UsedPrices, isNew: boolean): readonly Field[] => [
  {
    at: 'id',
    label: 'Name of the entry',
    note: isNew ? 'Lowercase letters, digits and dashes.' : 'Names cannot change. Remove the entry to start over.',
    input: { readOnly: !isNew },
  },
  { at: 'effectiveFrom', label: 'Effective from', note: 'Date (UTC). Leave empty for always.' },
  { at: 'model', label: 'Model', choices: choices('Every model', [draft.model, ...uses.map(({ model }) => model)]) },
  { at: 'pool', label: 'Node pool', choices: choices('Every pool', [draft.pool, ...uses.map(({ pool }) => pool)]) },
  {
    at: 'instanceType',
    label: 'Instance type',
    choices: choices('Every machine', [draft.instanceType, ...uses.map(({ instanceType }) => instanceType)]),
  },
  {
    at: 'region',
    label: 'Region',
    choices: choices('Every region', [draft.region, ...uses.map(({ region }) => region)]),
  },
  {
    at: 'capacity',
    label: 'Paid as',
    choices: [
      { value: '', words: 'Any' },
      ...Object.entries(CAPACITY_WORDS).map(([value, words]) => ({ value, words })),
    ],
  },
]

const choices = (all: string, known: readonly (string | undefined)[]) =>
  ['', ...new Set(known.filter((value) => value !== undefined && value !== ''))].map((value = '') => ({
    value,
    words: value === '' ? all : value,
  }))

const AMOUNT: readonly Field[] = [{ at: 'usdPerGpuHour', label: 'USD per GPU-hour', input: { required: true } }]

/** What a server of one's own costs. */
const OWNED: readonly Field[] = [
  { at: 'owned.purchaseUsd', label: 'Server, USD', note: 'Including its share of network and storage.' },
  { at: 'owned.gpus', label: 'GPUs in it' },
  { at: 'owned.lifeYears', label: 'Years of use', note: 'Affects the price the most.' },
  { at: 'owned.residualUsd', label: 'Residual value, USD' },
  { at: 'owned.powerKw', label: 'Power drawn, kW', note: 'Average, not the rated maximum.' },
  { at: 'owned.pue', label: 'PUE of the site' },
  { at: 'owned.usdPerKwh', label: 'USD per kWh' },
  {
    at: 'owned.hostingUsdPerMonth',
    label: 'Hosting, USD per month',
    note: 'Space, staff and support for this server.',
  },
]

const SOURCE: readonly Field[] = [
  { at: 'source', label: 'Source', note: 'Where the price comes from. Shown with every amount.', wide: true },
]
