import { cents } from '@septet/domain/words'
import { instant, monthAt, previewPrice, seconds, usdPerGpuHour, type PriceEntry } from '@septet/domain'
import { useState } from 'react'

import { tell } from '../../api.ts'
import { Field } from '../../ui/Field.tsx'
import { ChoiceField } from '../form/ChoiceField.tsx'
import { placeOf, type Price, type UsedPrices as Used } from './price-words.ts'
import { SendForm } from '../form/SendForm.tsx'
import type { Sent } from '../client/use-sending.ts'

type Props = {
  readonly edited: Price | undefined
  readonly book: readonly Price[]
  readonly used: Used
  readonly changed: () => void
}
type Draft = {
  readonly id: string
  readonly model: string
  readonly pool: string
  readonly price: string
  readonly source: string
}

/** Sets a price; which GPUs it will price, and what a month would cost, is shown before it is sent. */
export function PriceForm({ edited, book, used, changed }: Props) {
  const [draft, setDraft] = useState(() => (edited === undefined ? EMPTY : draftOf(edited)))
  const change = (name: keyof Draft) => (value: string) => setDraft({ ...draft, [name]: value })
  const put = async (): Promise<Sent> => {
    const { id, model, pool, price, source } = draft
    await tell('pricesPut', {
      id,
      usdPerGpuHour: Number(price),
      source,
      ...(edited?.cluster === null || edited === undefined ? {} : { cluster: edited.cluster }),
      ...(model === '' ? {} : { model }),
      ...(pool === '' ? {} : { pool }),
    })
    changed()
    return { done: `The price ${id} is set. Amounts follow with the next analysis, within seconds.` }
  }
  return (
    <SendForm send={put} submit="Set the price">
      <DraftFields draft={draft} change={change} used={used} isNew={edited === undefined} />
      <div className="-mb-1 sm:col-span-2">
        <Preview draft={draft} book={book} used={used} cluster={edited?.cluster ?? undefined} />
      </div>
    </SendForm>
  )
}

const EMPTY: Draft = { id: '', model: '', pool: '', price: '', source: '' }

const draftOf = ({ id, model, pool, usdPerGpuHour: price, source }: Price): Draft => ({
  id,
  model: model ?? '',
  pool: pool ?? '',
  price: price.toString(),
  source,
})

type FieldsProps = {
  readonly draft: Draft
  readonly change: (name: keyof Draft) => (value: string) => void
  readonly used: Used
  readonly isNew: boolean
}

const DraftFields = ({ draft, change, used, isNew }: FieldsProps) => (
  <>
    <Field
      label="Name of the entry"
      value={draft.id}
      onChange={(event) => change('id')(event.target.value)}
      required
      readOnly={!isNew}
      pattern="[a-z0-9][a-z0-9._\-]{0,62}"
      autoComplete="off"
      note={isNew ? 'Small letters, digits and dashes.' : 'The name stays; remove the entry to begin anew.'}
    />
    <Field
      label="USD per GPU-hour"
      type="number"
      min="0.0001"
      max="10000"
      step="any"
      value={draft.price}
      onChange={(event) => change('price')(event.target.value)}
      required
      inputMode="decimal"
    />
    <ChoiceField
      label="Model"
      value={draft.model}
      options={choices(
        'Every model',
        draft.model,
        used.uses.map(({ model }) => model),
      )}
      onChange={change('model')}
    />
    <ChoiceField
      label="Node pool"
      value={draft.pool}
      options={choices(
        'Every pool',
        draft.pool,
        used.uses.map(({ pool }) => pool),
      )}
      onChange={change('pool')}
    />
    <div className="sm:col-span-2">
      <Field
        label="Source"
        value={draft.source}
        onChange={(event) => change('source')(event.target.value)}
        required
        minLength={3}
        maxLength={200}
        autoComplete="off"
        note="Where the price is from; shown next to every amount."
      />
    </div>
  </>
)

const choices = (all: string, chosen: string, known: readonly string[]) =>
  ['', ...new Set([chosen, ...known].filter((value) => value !== ''))].map((value) => ({
    value,
    label: value === '' ? all : value,
  }))

type PreviewProps = Pick<Props, 'book' | 'used'> & { readonly draft: Draft; readonly cluster: string | undefined }

function Preview({ draft, book, used, cluster }: PreviewProps) {
  const price = Number(draft.price)
  if (!(price > 0)) return <p className="text-13 text-ink-soft">Give a price to see which GPUs it will be for.</p>
  const previews = previewPrice({
    uses: used.uses.map((use) => ({ ...use, capacity: use.capacity ?? undefined })),
    book: book.map(entryOf),
    cluster: used.source.id,
    id: draft.id,
    at: used.asOf === null ? undefined : instant(Date.parse(used.asOf)),
    draft: {
      id: draft.id,
      cluster,
      pool: draft.pool === '' ? undefined : draft.pool,
      model: draft.model === '' ? undefined : draft.model,
      price: usdPerGpuHour(price),
      source: DRAFTED,
      asOf: instant(Number.MAX_SAFE_INTEGER),
      origin: 'operator',
    },
  })
  const priced = previews.filter(({ after }) => after.kind === 'known' && after.source === DRAFTED)
  const [before, after] = (['before', 'after'] as const).map((which) =>
    monthAt(previews, which, seconds(used.observedSeconds)),
  )
  return (
    <output className="grid gap-1 text-13">
      <span>
        {priced.length === 0
          ? 'No GPU of this cluster would have this price: a narrower entry comes before it, or nothing matches.'
          : `It will price ${priced.map(placeOf).join(', ')}.`}
      </span>
      <span className="text-ink-soft">
        A month like this one costs {before === undefined ? 'an amount that is not known' : cents(before)} now, and{' '}
        {after === undefined ? 'an amount that is not known' : cents(after)} with it.
      </span>
    </output>
  )
}

const DRAFTED = 'this entry'

const entryOf = ({
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
  instanceType: of.instanceType ?? undefined,
  region: of.region ?? undefined,
  capacity: of.capacity ?? undefined,
  effectiveFrom: of.effectiveFrom === null ? undefined : instant(Date.parse(of.effectiveFrom)),
  id,
  cluster: cluster ?? undefined,
  pool: pool ?? undefined,
  model: model ?? undefined,
  price: usdPerGpuHour(price),
  source,
  asOf: instant(Date.parse(asOf)),
  origin,
})
