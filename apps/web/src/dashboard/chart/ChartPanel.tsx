import { useState, type ComponentProps, type ReactNode } from 'react'

import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ChartIcon, TableIcon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { csvOf } from '@septet/contract/csv'

/**
 * What a chart shows, in figures: texts with their units in the headings, an empty text where nothing is known. `none`: why
 * not, where all that are empty are so for one reason.
 */
export type ChartTable = {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly none?: string
  /** What is copied, where that is more than the table shows. */
  readonly csv?: () => string
}

const copied = ({ csv, columns, rows }: ChartTable): string => csv?.() ?? csvOf([columns, ...rows])

type Props = Omit<ComponentProps<typeof Panel>, 'aside'> & {
  /** Undefined while there is nothing to show yet. */
  readonly table: ChartTable | undefined
  /** How else the chart can be seen; before the tools that each chart has. */
  readonly tool?: ReactNode
  /** What is said of the chart and its table. */
  readonly note?: ReactNode
}

/** A panel with a chart, which can also be seen as a table and copied as CSV. */
export function ChartPanel({ table, tool, note, children, className = '', ...panel }: Props) {
  const [asTable, setAsTable] = useState(false)
  const tools = table !== undefined && table.rows.length > 0 && (
    <div className="-mx-1.5 flex items-center gap-0.5">
      {!asTable && tool}
      <Button look="quiet" aria-pressed={asTable} onClick={() => setAsTable(!asTable)} className="px-1.5 text-12">
        {asTable ? <ChartIcon /> : <TableIcon />}
        <span className="@max-md:sr-only">{asTable ? 'View as chart' : 'View as table'}</span>
      </Button>
      <CopyButton text={() => copied(table)} label="Copy CSV" narrow="CSV" />
    </div>
  )
  return (
    <Panel {...panel} className={`@container ${className}`} aside={tools}>
      {asTable && table !== undefined ? <FigureTable title={panel.label ?? panel.title} table={table} /> : children}
      {note}
    </Panel>
  )
}

/** The figures behind a chart. */
const FigureTable = ({ title, table }: { readonly title: string; readonly table: ChartTable }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
  <section tabIndex={0} aria-label={`${title} as a table`} className="max-h-80 overflow-auto">
    <table className="w-full text-12">
      <thead className="sticky top-0 bg-surface text-left text-ink-quiet">
        <tr>
          {table.columns.map((column, place) => (
            <th key={column} scope="col" className={`py-1.5 pr-3 font-normal ${place === 0 ? '' : 'text-right'}`}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line font-mono">
        {table.rows.map(([head = '', ...cells]) => (
          <tr key={head}>
            <th scope="row" className="py-1.5 pr-3 text-left font-normal text-ink-soft">
              {head}
            </th>
            {cells.map((text, place) => (
              <td
                key={table.columns[place + 1]}
                className={`py-1.5 pr-3 text-right ${text === '' ? 'font-sans text-ink-quiet' : ''}`}
              >
                {text === '' ? (table.none ?? 'Unknown') : text}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
