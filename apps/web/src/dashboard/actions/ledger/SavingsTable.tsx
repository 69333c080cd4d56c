import { monthlyWords, savedWords } from '@septet/contract/estimate-words'
import { measuredRange, measuredWords, SAVING_STATE_WORDS, workWords } from '@septet/contract/saving-words'

import { To } from '../../address/To.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { dayName } from '../../../ui/time-words.ts'
import { Quiet } from '../../recommendation/recommendation-columns.tsx'
import type { Column } from '../../table/column.ts'
import { DataTable } from '../../table/DataTable.tsx'
import { SAVING_TONES, type ActionSaving } from './saving-states.ts'

type Props = { readonly savings: readonly ActionSaving[]; readonly empty: string }

/** Every action with what was estimated and what was measured of it, the newest first. */
export const SavingsTable = ({ savings, empty }: Props) => (
  <DataTable
    caption="What each action saved"
    columns={COLUMNS}
    rows={savings}
    keyOf={({ action }) => action}
    empty={empty}
  />
)

const COLUMNS: readonly Column<ActionSaving>[] = [
  {
    id: 'action',
    name: 'Action',
    cell: (saving) => (
      <span className="block min-w-0">
        <To path="/actions" more={{ action: saving.action }} look="plain" className="font-medium wrap-anywhere">
          {saving.title}
        </To>
        <span className="block text-12 text-ink-soft wrap-anywhere">{saving.because}</span>
        <span className="block text-12 text-ink-quiet wrap-anywhere">{workWords(saving)}</span>
      </span>
    ),
    sortBy: ({ title }) => title,
  },
  {
    id: 'state',
    name: 'State',
    width: '8.5rem',
    cell: ({ state }) => <Badge tone={SAVING_TONES[state]}>{SAVING_STATE_WORDS[state]}</Badge>,
    sortBy: ({ state }) => SAVING_STATE_WORDS[state],
    text: ({ state, because }) => `${SAVING_STATE_WORDS[state]}: ${because}`,
  },
  {
    id: 'estimated',
    name: 'Estimated',
    width: '7rem',
    align: 'right',
    largestFirst: true,
    cell: ({ estimate, realized }) => (
      <Two
        main={monthlyWords(estimate)}
        beside={realized === null || realized.promised === null ? undefined : `${savedWords(realized.promised)} so far`}
      />
    ),
    sortBy: ({ estimate }) => estimate?.usdPerMonth ?? undefined,
    text: ({ estimate }) => (estimate === null ? '' : monthlyWords(estimate)),
  },
  measuredColumn('bill-reduced', { id: 'bill', name: 'Bill reduced' }),
  measuredColumn('capacity-freed', { id: 'capacity', name: 'Capacity freed' }),
  {
    id: 'hours',
    name: 'Hours compared',
    width: '7.5rem',
    align: 'right',
    cell: ({ realized }) => (realized === null ? <Quiet>none yet</Quiet> : hoursOf(realized)),
    isEmpty: ({ realized }) => realized === null,
    sortBy: ({ realized }) => realized?.knownHours,
    text: ({ realized }) => (realized === null ? '' : hoursOf(realized)),
  },
  {
    id: 'applied',
    name: 'Applied',
    width: '5rem',
    align: 'right',
    cell: ({ appliedAt }) => (appliedAt === null ? <Quiet>not yet</Quiet> : dayName(appliedAt)),
    isEmpty: ({ appliedAt }) => appliedAt === null,
    sortBy: ({ appliedAt }) => appliedAt ?? undefined,
    largestFirst: true,
  },
]

const hoursOf = ({ knownHours, unknownHours }: NonNullable<ActionSaving['realized']>): string =>
  `${knownHours} of ${knownHours + unknownHours}`

type Effect = ActionSaving['effect']

/** What was measured where it has this effect, also while it counts in no total yet: its state says so. */
function measuredColumn(effect: Effect, own: { readonly id: string; readonly name: string }): Column<ActionSaving> {
  const measured = (saving: ActionSaving) => (saving.effect === effect ? saving.realized : null)
  return {
    ...own,
    width: '7.5rem',
    align: 'right',
    largestFirst: true,
    cell: (saving) => {
      const realized = measured(saving)
      if (realized !== null) return <Two main={measuredWords(realized)} beside={measuredRange(realized)} />
      return <Quiet>{saving.effect === effect ? 'unknown' : '–'}</Quiet>
    },
    isEmpty: (saving) => saving.effect !== effect,
    sortBy: (saving) => measured(saving)?.gpuHours.value,
    text: (saving) => {
      const realized = measured(saving)
      if (realized === null) return ''
      const range = measuredRange(realized)
      return `${measuredWords(realized)}${range === undefined ? '' : ` (${range})`}`
    },
  }
}

type TwoProps = { readonly main: string; readonly beside: string | undefined }

const Two = ({ main, beside }: TwoProps) => (
  <span className="block">
    <span className="block font-mono">{main}</span>
    {beside !== undefined && <span className="block text-12 text-ink-soft">{beside}</span>}
  </span>
)
