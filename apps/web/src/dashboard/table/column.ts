import type { ReactNode } from 'react'

/** One column of a `DataTable`. */
export type Column<Row> = {
  /** Kept in the address when the table is sorted by it. */
  readonly id: string
  readonly name: string
  readonly cell: (row: Row) => ReactNode
  /** Where it has nothing to say of a row; a narrow screen, which names each cell, leaves it out. */
  readonly isEmpty?: (row: Row) => boolean
  /** What it is sorted by; undefined values come last in both directions. Left out: it cannot be sorted by. */
  readonly sortBy?: (row: Row) => string | number | undefined
  /** Whether the first click sorts from the largest down, as for amounts. */
  readonly largestFirst?: boolean
  /** Its text in the copied CSV, where it is not what it is sorted by; without either a column is not copied. */
  readonly text?: (row: Row) => string
  readonly align?: 'right'
  /** Its width, `8rem` or `20%`; columns without one share what is left equally. */
  readonly width?: string
}

/** What a column says of a row in a CSV: an unknown value is an empty text. Undefined of one that is only drawn. */
export const textIn = <Row>({ text, sortBy }: Column<Row>): ((row: Row) => string) | undefined =>
  text ?? (sortBy && ((row) => String(sortBy(row) ?? '')))
