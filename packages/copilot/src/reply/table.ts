import type { FixedReading } from './reading.ts'
import type { Block } from './reply.ts'

type Table<Row> = {
  readonly title: string
  readonly rows: readonly Row[]
  /** `#GPUs`: a column of numbers. */
  readonly columns: Readonly<Record<string, (row: Row) => string | number>>
  /** The page of a row, below `/dashboard`. */
  readonly at?: (row: Row) => string
  /** How many are shown, and how many there are. */
  readonly most?: number
  readonly total?: number
}

/** A table as far as it helps to read; `total` also counts rows left out. */
export function table<Row>(reading: FixedReading, shown: Table<Row>): Block | undefined {
  const { title, rows, columns, at, most = 10, total = rows.length } = shown
  if (rows.length === 0) return undefined
  return {
    kind: 'table',
    title,
    columns: Object.keys(columns).map((name) => ({ name: name.replace(/^#/u, ''), isNumber: name.startsWith('#') })),
    rows: rows.slice(0, most).map((row) => ({
      cells: Object.values(columns).map((cell) => String(cell(row))),
      page: at === undefined ? null : reading.page(at(row)),
    })),
    total,
  }
}
