import { dollars, duration, plural, short } from '@septet/domain/words'
import { Badge } from '../../ui/Badge.tsx'

import type { Column } from '../table/column.ts'
import { DataTable } from '../table/DataTable.tsx'
import { ProposedMark } from './inbox/ProposedMark.tsx'
import { KIND_WORDS, type Recommendation } from '../recommendation/recommendation-words.ts'

type Props = {
  readonly recommendations: readonly Recommendation[]
  readonly openKey: string | undefined
  readonly onOpen: (recommendation: Recommendation) => void
  readonly empty: string
}

/** Best first, as the planner ranks them; each opens its card. */
export const RecommendationTable = ({ recommendations, openKey, onOpen, empty }: Props) => (
  <DataTable
    caption="Recommendations, best first"
    columns={COLUMNS}
    rows={recommendations}
    keyOf={({ id }) => id}
    openKey={openKey}
    onOpen={onOpen}
    empty={empty}
  />
)

const COLUMNS: readonly Column<Recommendation>[] = [
  {
    id: 'what',
    name: 'Change',
    cell: ({ id, title, message }) => (
      <span className="block min-w-0">
        <span className="font-medium wrap-anywhere">{title}</span> <ProposedMark recommendation={id} />
        <span className="line-clamp-2 text-12 text-ink-soft wrap-anywhere">{message}</span>
      </span>
    ),
    sortBy: ({ title }) => title,
    text: ({ title }) => title,
  },
  {
    id: 'kind',
    name: 'Kind',
    width: '7rem',
    cell: ({ kind }) => <Badge tone="secondary">{KIND_WORDS[kind]}</Badge>,
    sortBy: ({ kind }) => KIND_WORDS[kind],
    text: ({ kind }) => KIND_WORDS[kind],
  },
  savingColumn('bill-reduced', { id: 'bill', name: 'Bill falls by' }),
  savingColumn('capacity-freed', { id: 'capacity', name: 'Capacity freed' }),
  {
    id: 'risk',
    name: 'Risk',
    width: '5.5rem',
    cell: ({ risk }) =>
      risk === null ? <Quiet>not stated</Quiet> : <Badge tone={RISK_TONES[risk.level]}>{RISK_WORDS[risk.level]}</Badge>,
    sortBy: ({ risk }) => (risk === null ? undefined : RISK_ORDER.indexOf(risk.level)),
    text: ({ risk }) => (risk === null ? '' : RISK_WORDS[risk.level]),
  },
  {
    id: 'displaced',
    name: 'Displaced',
    width: '6.5rem',
    align: 'right',
    cell: ({ risk }) => (risk === null ? <Quiet>not stated</Quiet> : plural(risk.displaced.length, 'pod')),
    sortBy: ({ risk }) => risk?.displaced.length,
    text: ({ risk }) => (risk === null ? '' : String(risk.displaced.length)),
  },
  {
    id: 'takes',
    name: 'At most',
    width: '5.5rem',
    align: 'right',
    cell: ({ risk }) => (risk === null ? <Quiet>not stated</Quiet> : duration(risk.seconds.high)),
    sortBy: ({ risk }) => risk?.seconds.high,
    text: ({ risk }) => (risk === null ? '' : `${risk.seconds.high} s`),
  },
]

const RISK_ORDER = ['low', 'medium', 'high', 'mode-change']
const RISK_WORDS = { low: 'low', medium: 'medium', high: 'high', 'mode-change': 'MIG mode' } as const
const RISK_TONES = { low: 'good', medium: 'warning', high: 'destructive', 'mode-change': 'destructive' } as const

const Quiet = ({ children }: { readonly children: string }) => <span className="text-ink-quiet">{children}</span>

type Effect = 'bill-reduced' | 'capacity-freed'

/** The estimated amount where it has this effect. What brings something else is said once, under capacity. */
function savingColumn(effect: Effect, own: { readonly id: string; readonly name: string }): Column<Recommendation> {
  const amount = ({ saving }: Recommendation) =>
    saving.kind === 'estimated' && saving.effect === effect ? saving : undefined
  const brings = ({ saving }: Recommendation) =>
    effect === 'capacity-freed' && saving.kind === 'none' ? saving.brings : undefined
  return {
    ...own,
    width: '8.5rem',
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
  return saving.gpuHoursPerMonth === null ? 'not known' : `${short(saving.gpuHoursPerMonth)} GPU-h/mo`
}
