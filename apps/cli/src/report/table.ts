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
export function textTable<Row>(rows: readonly Row[], columns: readonly ReportColumn<Row>[]): string[] {
  const cells = rows.map((row) => columns.map((column) => column.text(row)))
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...cells.map((row) => row[index]?.length ?? 0)),
  )
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, index) =>
        columns[index]?.right === true ? text.padStart(widths[index] ?? 0) : text.padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return [
    line(columns.map(({ title }) => title)),
    widths.map((width) => '─'.repeat(width)).join('  '),
    ...cells.map(line),
  ]
}
