import { csvOf } from '@septet/contract/csv'

import type { Column } from './column.ts'

/** A table as CSV (RFC 4180), with its headings; only columns that have a text. */
export function tableCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const told = columns.flatMap(({ name, text }) => (text === undefined ? [] : [{ name, text }]))
  return csvOf([told.map(({ name }) => name), ...rows.map((row) => told.map(({ text }) => text(row)))])
}
