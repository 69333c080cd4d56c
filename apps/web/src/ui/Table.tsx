import type { ReactNode } from 'react'

type Props = {
  /** What the table is, for those who do not see its surroundings. */
  readonly caption: string
  /** An empty name heads a column of buttons. */
  readonly columns: readonly string[]
  readonly children: ReactNode
}

/** Rows under hairlines; wider than the window it scrolls by itself. */
export const Table = ({ caption, columns, children }: Props) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard (WCAG 2.1.1)
  <section aria-label={caption} tabIndex={0} className="relative overflow-x-auto rounded-control">
    <table className="w-full text-left text-13">
      <thead>
        <tr className="border-b border-line text-12 text-ink-soft">
          {columns.map((column) => (
            <th key={column} scope="col" className="py-1.5 pr-4 font-normal whitespace-nowrap">
              {column === '' ? <span className="sr-only">Actions</span> : column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">{children}</tbody>
    </table>
  </section>
)

/** One cell, at the top of its row. */
export const Cell = ({ children, className = '' }: { readonly children: ReactNode; readonly className?: string }) => (
  <td className={`py-2 pr-4 align-top ${className}`}>{children}</td>
)
