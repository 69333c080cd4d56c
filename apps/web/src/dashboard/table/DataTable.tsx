import { csvOf } from '@septet/contract/csv'
import { plural } from '@septet/domain/words'
import { type ReactNode, useMemo } from 'react'

import { CopyButton } from '../../ui/CopyButton.tsx'
import { useUrlChoice } from '../address/url-state.ts'
import { VirtualRows } from './VirtualRows.tsx'
import { textIn, type Column } from './column.ts'

type Props<Row> = {
  /** What the table is, for those who do not see its surroundings. */
  readonly caption: string
  /** Stable between renders (a constant or a memo), as `rows` is. */
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Opens the card of a row; rows are then buttons. */
  readonly onOpen?: (row: Row) => void
  /** The key of the row whose card is open. */
  readonly openKey?: string | undefined
  readonly initialSort?: Sorting
  /** The address's parameter that keeps the sorting; another one for a second table on the same screen. */
  readonly sortParameter?: string
  /** What is said instead of rows when there are none. */
  readonly empty: ReactNode
}

/**
 * A table of any length: sorted by a click on a heading, only the rows in sight are in the page, and what is shown can be
 * copied as CSV. On a narrow screen a row is a list of its named cells.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { caption, columns, rows, initialSort, sortParameter = 'sort', empty } = props
  const sortable = columns.filter(({ sortBy }) => sortBy !== undefined).map(({ id }) => id)
  const [sorting, sortBy] = useSorting(sortParameter, sortable, initialSort)
  const order = sorting === undefined ? '' : sortingText(sorting)
  const shown = useMemo(() => inOrder(rows, columns, order), [rows, columns, order])
  return (
    <div className="grid min-w-0 gap-1.5">
      {rows.length === 0 ? (
        <div className="py-6 text-13 text-ink-soft">{empty}</div>
      ) : (
        <VirtualRows
          {...props}
          rows={shown}
          head={<TableHead columns={columns} sorting={sorting} sortBy={sortBy} />}
          caption={caption}
        />
      )}
      {rows.length > 0 && columns.some((column) => textIn(column) !== undefined) && (
        <p className="flex items-center justify-between gap-3 text-12 text-ink-quiet">
          {plural(rows.length, 'row')}
          <CopyButton text={() => tableCsv(columns, shown)} label="Copy CSV" />
        </p>
      )}
    </div>
  )
}

/** Rows sorted as the address writes it; equal ones keep their places, and what has no value comes last either way. */
function inOrder<Row>(rows: readonly Row[], columns: readonly Column<Row>[], order: string): readonly Row[] {
  const valueOf = columns.find(({ id }) => id === order.replace(/^-/u, ''))?.sortBy
  if (valueOf === undefined) return rows
  const sign = order.startsWith('-') ? -1 : 1
  const valued = rows.map((row) => ({ row, value: valueOf(row) }))
  return valued.toSorted((a, b) => compareValues(a.value, b.value, sign)).map(({ row }) => row)
}

type Value = string | number | undefined

/** Numbers by size, texts by their code points, so that the order does not hang on the reader's language. */
function compareValues(a: Value, b: Value, sign: 1 | -1): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b)
  const [before, after] = [String(a), String(b)]
  return sign * (before < after ? -1 : Number(before > after))
}

type TableHeadProps<Row> = {
  readonly columns: readonly Column<Row>[]
  readonly sorting: Sorting | undefined
  readonly sortBy: (sorting: Sorting) => void
}

/** The headings; those that the table can be sorted by are buttons. */
const TableHead = <Row,>({ columns, sorting, sortBy }: TableHeadProps<Row>) => (
  <>
    {columns.map((column) => (
      <th
        key={column.id}
        scope="col"
        aria-sort={sorting?.id === column.id ? (sorting.down ? 'descending' : 'ascending') : undefined}
        className={`py-1.5 pr-4 text-12 font-normal text-ink-soft last:pr-0 ${column.align === 'right' ? 'text-right' : ''}`}
      >
        {column.sortBy === undefined ? column.name : <SortButton column={column} sorting={sorting} sortBy={sortBy} />}
      </th>
    ))}
  </>
)

type ButtonProps<Row> = Omit<TableHeadProps<Row>, 'columns'> & { readonly column: Column<Row> }

function SortButton<Row>({ column, sorting, sortBy }: ButtonProps<Row>) {
  const chosen = sorting?.id === column.id
  const down = chosen ? !sorting.down : column.largestFirst === true
  return (
    <button
      type="button"
      onClick={() => sortBy({ id: column.id, down })}
      // The arrow's place is on the side where no figure ends, so that a name stands over its figures.
      className={`-mx-1 inline-flex min-h-6 max-w-[calc(100%+0.5rem)] min-w-0 items-center gap-1 rounded-[4px] px-1 hover:text-ink ${column.align === 'right' ? 'flex-row-reverse' : ''} ${chosen ? 'font-medium text-ink' : ''}`}
    >
      <span className="truncate">{column.name}</span>
      <span aria-hidden className={`font-mono text-12 ${chosen ? '' : 'opacity-0'}`}>
        {sorting?.down === true ? '↓' : '↑'}
      </span>
    </button>
  )
}

/** Which column a table is sorted by. */
type Sorting = { readonly id: string; readonly down: boolean }

/** The sorting that the address names (`-cost` is from the largest down), else the one that the table begins with. */
function useSorting(
  parameter: string,
  known: readonly string[],
  initial: Sorting | undefined,
): readonly [Sorting | undefined, (sorting: Sorting) => void] {
  const [text, choose] = useUrlChoice(parameter)
  const asked = text === undefined ? undefined : { id: text.replace(/^-/u, ''), down: text.startsWith('-') }
  const sorting = asked !== undefined && known.includes(asked.id) ? asked : initial
  return [sorting, (next) => choose(sortingText(next), { replace: true })]
}

/** A sorting as the address writes it. */
const sortingText = ({ id, down }: Sorting): string => `${down ? '-' : ''}${id}`

/** A table as CSV (RFC 4180), with its headings; only columns that have a text. */
export function tableCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const told = columns.flatMap((column) => {
    const text = textIn(column)
    return text === undefined ? [] : [{ name: column.name, text }]
  })
  return csvOf([told.map(({ name }) => name), ...rows.map((row) => told.map(({ text }) => text(row)))])
}
