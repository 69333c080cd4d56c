import { Children, type ReactNode } from 'react'

type Props = {
  /** What the table is, for those who do not see its surroundings. */
  readonly caption: string
  /** An empty name heads a column of buttons. */
  readonly columns: readonly string[]
  /** The first of the columns of numbers, which go on to the last and are aligned right. */
  readonly numbersFrom?: number
  /** What is said instead of rows when there are none. */
  readonly empty?: string
  readonly children: ReactNode
}

/** Rows under hairlines; wider than the window it scrolls by itself. On a narrow screen a row is a list of its named cells. */
export function Table({ caption, columns, numbersFrom = columns.length, empty, children }: Props) {
  if (empty !== undefined && Children.count(children) === 0)
    return <p className="max-w-3xl py-2 text-13 text-ink-soft">{empty}</p>
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard (WCAG 2.1.1)
    <section aria-label={caption} tabIndex={0} className="relative overflow-x-auto rounded-control">
      <table className="w-full text-left text-13 max-sm:block">
        <thead className="max-sm:sr-only">
          <tr className="border-b border-line text-12 text-ink-soft">
            {columns.map((column, at) => (
              <th
                key={column}
                scope="col"
                className={`py-1.5 pr-4 font-normal whitespace-nowrap ${at < numbersFrom ? '' : 'text-right last:pr-0'}`}
              >
                {column === '' ? <span className="sr-only">Actions</span> : column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line max-sm:block">{children}</tbody>
      </table>
    </section>
  )
}

type CellProps = {
  readonly children: ReactNode
  readonly className?: string
  /** What stands before it on a narrow screen, where no heading stands above it: the name of its column. */
  readonly name?: string
  /** Columns that it covers. */
  readonly span?: number
}

/** One row of cells. */
export const Row = ({ children, className = '' }: Omit<CellProps, 'name' | 'span'>) => (
  <tr className={`max-sm:block max-sm:py-2.5 ${className}`}>{children}</tr>
)

/** One cell, at the top of its row. */
export const Cell = ({ children, className = '', name, span }: CellProps) => (
  <td
    colSpan={span}
    className={`py-2 pr-4 align-top max-sm:py-0.5 max-sm:pr-0 max-sm:text-left max-sm:empty:hidden ${name === undefined ? 'max-sm:block' : 'max-sm:flex max-sm:gap-3'} ${className}`}
  >
    {name !== undefined && (
      <span aria-hidden className="w-24 shrink-0 font-sans text-ink-soft sm:hidden">
        {name}
      </span>
    )}
    {name === undefined ? children : <div className="min-w-0">{children}</div>}
  </td>
)
