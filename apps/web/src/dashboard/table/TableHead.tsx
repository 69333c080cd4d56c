import type { Column } from './column.ts'
import type { Sorting } from './use-sorting.ts'

type Props<Row> = {
  readonly columns: readonly Column<Row>[]
  readonly sorting: Sorting | undefined
  readonly sortBy: (sorting: Sorting) => void
}

/** The headings; those that the table can be sorted by are buttons. */
export const TableHead = <Row,>({ columns, sorting, sortBy }: Props<Row>) => (
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

type ButtonProps<Row> = Omit<Props<Row>, 'columns'> & { readonly column: Column<Row> }

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
