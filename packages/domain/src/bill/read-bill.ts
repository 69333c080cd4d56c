import { plural } from '../words.ts'
import { type Bill, type BillOptions, BillSum } from './bill.ts'
import { csvRows } from './csv-rows.ts'
import { type FocusRecord, NEEDED_COLUMNS, readFocusLine } from './focus-line.ts'

/** A bill, and what of its file could not be read. */
export type ReadBill = Bill & { readonly notes: readonly string[] }

/** The charges of a bill as CSV, whose first row names the columns. */
export async function* csvRecords(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<FocusRecord> {
  let columns: readonly string[] | undefined
  for await (const row of csvRows(pieces)) {
    if (columns === undefined) columns = row.map((name) => name.trim())
    else yield Object.fromEntries(columns.map((column, index) => [column, row[index]]))
  }
}

/** Adds up a bill in FOCUS 1.0 to 1.2. Throws in words that say what to do where it is none. */
export async function readBill(records: AsyncIterable<FocusRecord>, options: BillOptions = {}): Promise<ReadBill> {
  const sum = new BillSum(options)
  const flaws = new Map<string, number>()
  let count = 0
  for await (const record of records) {
    if (count === 0) needColumns(record)
    count += 1
    const line = readFocusLine(record)
    if ('flaw' in line) flaws.set(line.flaw, (flaws.get(line.flaw) ?? 0) + 1)
    else sum.add(line)
  }
  if (count === 0) throw new Error('The bill has no charges in it. Export it again, for a month that has some.')
  return { ...sum.done(), notes: [...flaws].slice(0, 5).map(([flaw, lines]) => noteOf(flaw, lines)) }
}

const noteOf = (flaw: string, lines: number): string =>
  `${plural(lines, 'charge')} could not be read and ${lines === 1 ? 'is' : 'are'} in no sum: ${flaw}.`

function needColumns(record: FocusRecord): void {
  const missing = NEEDED_COLUMNS.filter((column) => record[column] === undefined)
  if (missing.length === 0) return
  throw new Error(
    `This is no bill in FOCUS: it has no ${missing.join(', ')}. Export the FOCUS table of your cloud, with all columns.`,
  )
}
