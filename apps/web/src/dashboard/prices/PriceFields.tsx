import { Field } from '../../ui/Field.tsx'
import { ChoiceField } from '../form/ChoiceField.tsx'
import { Segmented } from '../form/Segmented.tsx'
import { OwnedFields } from './OwnedFields.tsx'
import type { Draft } from './price-draft.ts'
import { CAPACITY_WORDS, type UsedPrices } from './price-words.ts'

type Props = {
  readonly draft: Draft
  readonly change: (changes: Partial<Draft>) => void
  readonly used: UsedPrices
  readonly isNew: boolean
}

/** What a price is called, what it is for, from when, and what it is. */
export const PriceFields = ({ draft, change, used, isNew }: Props) => (
  <>
    <Field
      label="Name of the entry"
      value={draft.id}
      onChange={(event) => change({ id: event.target.value })}
      required
      readOnly={!isNew}
      pattern="[a-z0-9][a-z0-9._\-]{0,62}"
      verbatim
      note={isNew ? 'Lowercase letters, digits and dashes.' : 'Names cannot change. Remove the entry to start over.'}
    />
    <Field
      label="Effective from"
      type="date"
      value={draft.effectiveFrom}
      onChange={(event) => change({ effectiveFrom: event.target.value })}
      note="Date (UTC). Leave empty for always."
    />
    <MatchFields draft={draft} change={change} used={used} />
    <Amount draft={draft} change={change} />
    <div className="sm:col-span-2">
      <Field
        label="Source"
        value={draft.source}
        onChange={(event) => change({ source: event.target.value })}
        required
        minLength={3}
        maxLength={200}
        autoComplete="off"
        note="Where the price comes from. Shown with every amount."
      />
    </div>
  </>
)

const MatchFields = ({ draft, change, used: { uses } }: Omit<Props, 'isNew'>) => (
  <>
    <ChoiceField
      label="Model"
      value={draft.model}
      options={choices('Every model', [draft.model, ...uses.map(({ model }) => model)])}
      onChange={(model) => change({ model })}
    />
    <ChoiceField
      label="Node pool"
      value={draft.pool}
      options={choices('Every pool', [draft.pool, ...uses.map(({ pool }) => pool)])}
      onChange={(pool) => change({ pool })}
    />
    <ChoiceField
      label="Instance type"
      value={draft.instanceType}
      options={choices('Every machine', [draft.instanceType, ...uses.map(({ instanceType }) => instanceType)])}
      onChange={(instanceType) => change({ instanceType })}
    />
    <ChoiceField
      label="Region"
      value={draft.region}
      options={choices('Every region', [draft.region, ...uses.map(({ region }) => region)])}
      onChange={(region) => change({ region })}
    />
    <ChoiceField
      label="Paid as"
      value={draft.capacity}
      options={[{ value: '', label: 'Any' }, ...CAPACITIES]}
      onChange={(value) => change({ capacity: CAPACITIES.find((known) => known.value === value)?.value ?? '' })}
    />
  </>
)

const CAPACITIES = (['on-demand', 'spot', 'reserved', 'owned'] as const).map((value) => ({
  value,
  label: CAPACITY_WORDS[value],
}))

const WAYS = [
  { value: 'given', label: 'I know it' },
  { value: 'owned', label: 'From my own server' },
] as const

const Amount = ({ draft, change }: Pick<Props, 'draft' | 'change'>) => (
  <>
    <div className="grid content-start gap-1.5 sm:col-span-2">
      <span className="text-13 font-medium">Price</span>
      <Segmented label="Price" options={WAYS} value={draft.way} onChange={(way) => change(taken(draft, way))} />
    </div>
    {draft.way === 'owned' ? (
      <OwnedFields draft={draft} change={(owned) => change({ owned })} />
    ) : (
      <Field
        label="USD per GPU-hour"
        type="number"
        min="0.0001"
        max="10000"
        step="any"
        value={draft.price}
        onChange={(event) => change({ price: event.target.value })}
        required
        inputMode="decimal"
      />
    )}
  </>
)

/** Whoever reckons from a server of their own most likely owns what the price is for. */
const taken = ({ capacity }: Draft, way: Draft['way']): Partial<Draft> =>
  way === 'owned' && capacity === '' ? { way, capacity: 'owned' } : { way }

const choices = (all: string, known: readonly string[]) =>
  ['', ...new Set(known.filter((value) => value !== ''))].map((value) => ({
    value,
    label: value === '' ? all : value,
  }))
