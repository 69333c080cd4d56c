import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'

import type { Column } from './column.ts'

type Props<Row> = {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly onOpen?: (row: Row) => void
  readonly openKey?: string | undefined
  readonly head: ReactNode
}

/** Of a row of one line, border included. */
const ROW = 33

/** The rows in sight of the window's own scrolling; those before and after them are only height. */
export function VirtualRows<Row>({ caption, columns, rows, keyOf, onOpen, openKey, head }: Props<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [margin, setMargin] = useState(0)
  useLayoutEffect(() => {
    if (body.current !== null) setMargin(body.current.getBoundingClientRect().top + window.scrollY)
  }, [])
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes this component; the library's functions are called at each rendering
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW,
    overscan: 12,
    scrollMargin: margin,
    getItemKey: (index) => keyAt(rows, keyOf, index),
  })
  const seen = virtual.getVirtualItems()
  const before = (seen[0]?.start ?? margin) - margin
  const after = virtual.getTotalSize() - ((seen.at(-1)?.end ?? margin) - margin)
  return (
    <table
      aria-label={caption}
      aria-rowcount={rows.length + 1}
      className="w-full table-fixed text-left text-13 max-md:block"
    >
      <colgroup className="max-md:hidden">
        {columns.map(({ id, width }) => (
          <col key={id} {...(width === undefined ? {} : { style: { width } })} />
        ))}
      </colgroup>
      <thead className="max-md:sr-only">
        <tr aria-rowindex={1} className="border-b border-line">
          {head}
        </tr>
      </thead>
      <tbody ref={body} className="max-md:block">
        <Gap height={before} />
        {seen.map(({ index, key }) => {
          const row = rows[index]
          return (
            row !== undefined && (
              <tr
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                aria-rowindex={index + 2}
                className={`relative border-b border-line max-md:block max-md:py-3 ${onOpen === undefined ? '' : 'hover:bg-sunken/60'} ${openKey !== undefined && openKey === keyOf(row) ? 'bg-sunken' : ''}`}
              >
                <Cells
                  columns={columns}
                  row={row}
                  open={onOpen === undefined ? undefined : () => onOpen(row)}
                  chosen={openKey !== undefined && openKey === keyOf(row)}
                />
              </tr>
            )
          )
        })}
        <Gap height={after} />
      </tbody>
    </table>
  )
}

const Gap = ({ height }: { readonly height: number }) =>
  height > 0 && <tr aria-hidden className="max-md:block" style={{ height }} />

function keyAt<Row>(rows: readonly Row[], keyOf: (row: Row) => string, index: number): string | number {
  const row = rows[index]
  return row === undefined ? index : keyOf(row)
}

type CellsProps<Row> = {
  readonly columns: readonly Column<Row>[]
  readonly row: Row
  readonly open: (() => void) | undefined
  readonly chosen: boolean
}

/** The cells of a row. What opens it is the button in the first one, which reaches over the whole row. */
const Cells = <Row,>({ columns, row, open, chosen }: CellsProps<Row>) => (
  <>
    {columns.map((column, place) => (
      <td
        key={column.id}
        className={`min-w-0 py-1.5 pr-4 align-top wrap-anywhere last:pr-0 max-md:gap-3 max-md:py-0.5 max-md:pr-0 ${column.isEmpty?.(row) === true ? 'max-md:hidden' : 'max-md:flex'} ${column.align === 'right' ? 'text-right max-md:text-left' : ''}`}
      >
        {place > 0 && (
          <span aria-hidden className="w-28 shrink-0 text-ink-soft md:hidden">
            {column.name}
          </span>
        )}
        {place === 0 && open !== undefined ? (
          <button
            type="button"
            aria-expanded={chosen}
            onClick={open}
            className="max-w-full text-left font-medium before:absolute before:inset-0 before:content-['']"
          >
            {column.cell(row)}
          </button>
        ) : (
          <div className="relative min-w-0">{column.cell(row)}</div>
        )}
      </td>
    ))}
  </>
)
