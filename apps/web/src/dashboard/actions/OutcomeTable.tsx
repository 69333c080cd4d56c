import type { FigureView } from '@septet/contract'
import { rankedOutcomes, type ScenarioOutcome, type ScenarioResult } from '@septet/domain'
import { useMemo } from 'react'

import { FigureText } from '../../ui/FigureText.tsx'
import type { Column } from '../table/column.ts'
import { DataTable } from '../table/DataTable.tsx'
import { OUTCOME_COLUMNS } from './outcome-figures.ts'
import { runName } from './run-words.ts'

type Props = { readonly result: ScenarioResult; readonly window: FigureView['explain']['window'] }

/** One row for each way to share and place; every figure says what it is. */
export function OutcomeTable({ result, window }: Props) {
  const columns = useMemo(() => columnsOf(window), [window])
  return (
    <DataTable
      caption="Ways to share and place, side by side"
      columns={columns}
      rows={rankedOutcomes(result.outcomes)}
      keyOf={({ run }) => run}
      empty="Nothing was compared."
    />
  )
}

const columnsOf = (window: Props['window']): readonly Column<ScenarioOutcome>[] => [
  {
    id: 'run',
    name: 'Way',
    width: '13rem',
    cell: ({ run }) => <span className="font-medium">{runName(run)}</span>,
    text: ({ run }) => runName(run),
    sortBy: ({ run }) => runName(run),
  },
  ...OUTCOME_COLUMNS.map(({ id, name, figure }): Column<ScenarioOutcome> => ({
    id,
    name,
    align: 'right',
    cell: (outcome) => <FigureText name={name} figure={figure(outcome, window)} unknown="not known" />,
    sortBy: (outcome) => figure(outcome, window).value ?? undefined,
    text: (outcome) => {
      const { value, unit } = figure(outcome, window)
      return value === null ? '' : `${value} ${unit}`
    },
  })),
]
