import type { FigureView } from '@septet/contract'
import type { ScenarioOutcome, ScenarioResult } from '@septet/domain'
import { useMemo } from 'react'

import { FigureText } from '../../ui/FigureText.tsx'
import type { Column } from '../table/column.ts'
import { DataTable } from '../table/DataTable.tsx'
import { OUTCOME_COLUMNS } from './outcome-figures.ts'
import { WAY_WORDS } from './way-words.ts'

type Props = {
  readonly result: ScenarioResult
  readonly window: FigureView['explain']['window']
  /** Whether work comes and goes in it, so that somebody can be said to wait. */
  readonly hasTime: boolean
}

/** One row for each way; every figure says what it is. */
export function OutcomeTable({ result, window, hasTime }: Props) {
  const columns = useMemo(() => columnsOf(window, hasTime), [window, hasTime])
  return (
    <DataTable
      caption="Sharing and placement compared"
      columns={columns}
      rows={result.outcomes}
      keyOf={({ way }) => way}
      empty="Nothing compared yet."
    />
  )
}

const columnsOf = (window: Props['window'], hasTime: boolean): readonly Column<ScenarioOutcome>[] => [
  {
    id: 'way',
    name: 'Layout',
    cell: ({ way }) => <span className="font-medium">{WAY_WORDS[way]}</span>,
    text: ({ way }) => WAY_WORDS[way],
    sortBy: ({ way }) => WAY_WORDS[way],
  },
  ...OUTCOME_COLUMNS.filter(({ id }) => hasTime || !WAITS.has(id)).map(
    ({ figure, id, name, ...width }): Column<ScenarioOutcome> => ({
      ...width,
      id,
      name,
      align: 'right',
      cell: (outcome) => <FigureText name={name} figure={figure(outcome, window)} unknown="unknown" />,
      sortBy: (outcome) => figure(outcome, window).value ?? undefined,
      text: (outcome) => {
        const { value, unit } = figure(outcome, window)
        return value === null ? '' : `${value} ${unit}`
      },
    }),
  ),
]

const WAITS: ReadonlySet<string> = new Set(['p50', 'p95'])
