import type { Column } from './column.ts'

/** A table as CSV (RFC 4180), with its headings; only columns that have a text. */
export function tableCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const told = columns.flatMap(({ name, text }) => (text === undefined ? [] : [{ name, text }]))
  return csvOf([told.map(({ name }) => name), ...rows.map((row) => told.map(({ text }) => text(row)))])
}

/** Lines of cells as CSV (RFC 4180). */
export const csvOf = (lines: readonly (readonly string[])[]): string =>
  lines.map((line) => line.map(csvCell).join(',')).join('\r\n')

/**
 * One cell. Text that a spreadsheet would run as a formula (OWASP: CSV injection) gets an apostrophe before it: names in
 * a cluster are anybody's words. A plain negative number is left as it is.
 */
function csvCell(text: string): string {
  const safe = /^[=+@\t\r]|^-(?![\d.])/u.test(text) ? `'${text}` : text
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
