import { CLASSES } from '@septet/domain/action-classes'
import { dollars, short } from '@septet/domain/words'
import type { ReactNode } from 'react'

import { Badge } from '../../ui/Badge.tsx'
import type { Column } from '../table/column.ts'
import type { Recommendation } from './recommendation-words.ts'

type Told = Pick<Recommendation, 'kind' | 'risk' | 'saving'>

/** What every table of recommendations says of each. */
export const KIND_COLUMN: Column<Told> = {
  id: 'kind',
  name: 'Kind',
  width: '7rem',
  cell: ({ kind }) => <Badge tone="secondary">{CLASSES[kind].title}</Badge>,
  sortBy: ({ kind }) => CLASSES[kind].title,
}

export const RISK_COLUMN: Column<Told> = {
  id: 'risk',
  name: 'Risk',
  width: '5.5rem',
  cell: ({ risk }) =>
    risk === null ? <Quiet>not stated</Quiet> : <Badge tone={RISK_TONES[risk.level]}>{RISK_WORDS[risk.level]}</Badge>,
  sortBy: ({ risk }) => (risk === null ? undefined : RISK_ORDER.indexOf(risk.level)),
  text: ({ risk }) => (risk === null ? '' : RISK_WORDS[risk.level]),
}

const RISK_ORDER = ['low', 'medium', 'high', 'mode-change']
const RISK_WORDS = { low: 'low', medium: 'medium', high: 'high', 'mode-change': 'MIG mode' } as const
const RISK_TONES = { low: 'good', medium: 'warning', high: 'destructive', 'mode-change': 'destructive' } as const

type ChangeProps = Pick<Recommendation, 'title' | 'message'> & { readonly mark?: ReactNode }

/** What is recommended, and why in one or two lines. */
export const ListedChange = ({ title, message, mark }: ChangeProps) => (
  <span className="block min-w-0">
    <span className="font-medium wrap-anywhere">{title}</span> {mark}
    <span className="line-clamp-2 text-12 font-normal text-ink-soft wrap-anywhere md:line-clamp-1" title={message}>
      {message}
    </span>
  </span>
)

export const Quiet = ({ children }: { readonly children: string }) => <span className="text-ink-quiet">{children}</span>

/** Only one of the two is money that is no longer paid. */
export const SAVING_COLUMNS: readonly Column<Told>[] = [
  savingColumn('bill-reduced', { id: 'bill', name: 'Bill reduction' }),
  savingColumn('capacity-freed', { id: 'capacity', name: 'Capacity freed' }),
]

type Effect = 'bill-reduced' | 'capacity-freed'

/** The estimated amount where it has this effect. What brings something else is said once, under capacity. */
function savingColumn(effect: Effect, own: { readonly id: string; readonly name: string }): Column<Told> {
  const amount = ({ saving }: Told) => (saving.kind === 'estimated' && saving.effect === effect ? saving : undefined)
  const brings = ({ saving }: Told) =>
    effect === 'capacity-freed' && saving.kind === 'none' ? saving.brings : undefined
  return {
    ...own,
    width: '7.5rem',
    align: 'right',
    largestFirst: true,
    cell: (recommendation) => {
      const saving = amount(recommendation)
      if (saving !== undefined) return <span className="font-mono">{amountWords(saving)}</span>
      const other = brings(recommendation)
      return other === undefined ? <Quiet>–</Quiet> : <span className="text-ink-soft">{other}</span>
    },
    isEmpty: (recommendation) => amount(recommendation) === undefined && brings(recommendation) === undefined,
    sortBy: (recommendation) => amount(recommendation)?.usdPerMonth ?? undefined,
    text: (recommendation) => {
      const saving = amount(recommendation)
      return saving === undefined ? '' : amountWords(saving)
    },
  }
}

const amountWords = (saving: { readonly usdPerMonth: number | null; readonly gpuHoursPerMonth: number | null }) => {
  if (saving.usdPerMonth !== null) return `${dollars(saving.usdPerMonth)}/mo`
  return saving.gpuHoursPerMonth === null ? 'unknown' : `${short(saving.gpuHoursPerMonth)} GPU-h/mo`
}
