import { fitTable } from '../output/fit-table.ts'

/** Hours and amounts of a bill as a report has them; what nobody knows is unknown, never 0. */
export const hoursWords = (value: number | undefined): string =>
  value === undefined ? 'unknown' : value.toLocaleString('en-US', { maximumFractionDigits: 1 })
export const moneyWords = (value: number | undefined): string =>
  value === undefined
    ? 'unknown'
    : value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

export type ReportColumn<Row> = {
  readonly title: string
  readonly text: (row: Row) => string
  /** Numbers stand at the right. */
  readonly right?: boolean
}

/** A plain table for a terminal: titles, a rule, and rows; every column as wide as its widest text. */
export const textTable = <Row>(rows: readonly Row[], columns: readonly ReportColumn<Row>[]): readonly string[] =>
  fitTable(
    columns.map(({ title, text, right = false }) => ({ title, cells: rows.map(text), right, fixed: true, rank: 0 })),
    Number.POSITIVE_INFINITY,
  ).lines
