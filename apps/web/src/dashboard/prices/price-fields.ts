import type { FieldOf } from '../form/SchemaFields.tsx'
import type { Draft } from './price-draft.ts'
import { CAPACITY_WORDS, type UsedPrices } from './price-words.ts'

type Field = FieldOf<Draft>

/** What a price is called, what it is for, and from when. */
export const matchFields = (draft: Draft, { uses }: UsedPrices, isNew: boolean): readonly Field[] => [
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

export const AMOUNT: readonly Field[] = [{ at: 'usdPerGpuHour', label: 'USD per GPU-hour', input: { required: true } }]

/** What a server of one's own costs. */
export const OWNED: readonly Field[] = [
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

export const SOURCE: readonly Field[] = [
  { at: 'source', label: 'Source', note: 'Where the price comes from. Shown with every amount.', wide: true },
]
