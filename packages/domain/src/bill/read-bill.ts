import { grouped, plural } from '../words.ts'
import { BillSum, type Bill, type BillOptions } from './bill.ts'
import { dollarsOf } from './exact-money.ts'
import { NEEDED_COLUMNS, readFocusLine, type FocusRecord } from './focus-line.ts'

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
  const bill = sum.done()
  return {
    ...bill,
    notes: [...untypedNotes(bill), ...[...flaws].slice(0, 5).map(([flaw, lines]) => noteOf(flaw, lines))],
  }
}

const untypedNotes = ({ untyped, currency }: Bill): readonly string[] =>
  untyped.lines === 0
    ? []
    : [
        `${plural(untyped.lines, 'charge')} of virtual machines, ${currency} ${grouped(dollarsOf(untyped.effective), 2)} effective, do not tell the machine type: machines with GPUs may be among them. Export the bill with SkuPriceDetails (FOCUS 1.1 or newer).`,
      ]

const noteOf = (flaw: string, lines: number): string =>
  `${plural(lines, 'charge')} could not be read and ${lines === 1 ? 'is' : 'are'} in no sum: ${flaw}.`

function needColumns(record: FocusRecord): void {
  const missing = NEEDED_COLUMNS.filter((column) => record[column] === undefined)
  if (missing.length === 0) return
  throw new Error(
    `This is no bill in FOCUS: it has no ${missing.join(', ')}. Export the FOCUS table of your cloud, with all columns.`,
  )
}

/**
 * Rows of a CSV text that comes in pieces, by RFC 4180: quoted fields with commas, doubled quotes and line breaks; lines end
 * with LF or CRLF; a byte order mark is dropped. It holds one row at a time, so a bill may be as large as it likes.
 */
export async function* csvRows(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<readonly string[]> {
  const reader = new RowReader()
  for await (const piece of pieces) yield* reader.read(piece)
  yield* reader.end()
}

class RowReader {
  #row: string[] = []
  #field = ''
  /** Inside quotes; `closing`: the last character was a quote that ends them, or is the first of two. */
  #quoted: 'no' | 'yes' | 'closing' = 'no'
  #first = true

  /** The rows that a piece completes. */
  read(piece: string): readonly (readonly string[])[] {
    const text = this.#first && piece.startsWith('\uFEFF') ? piece.slice(1) : piece
    this.#first = false
    const rows: (readonly string[])[] = []
    const telling = /["\n,]/gu
    let from = 0
    for (let found = telling.exec(text); found !== null; found = telling.exec(text)) {
      const [character] = found
      if (this.#quoted === 'yes' && character !== '"') continue
      this.#field += text.slice(from, found.index)
      from = found.index + 1
      if (character === '"') this.#quote()
      else rows.push(...this.#border(character === '\n'))
    }
    this.#field += text.slice(from)
    return rows
  }

  end(): readonly (readonly string[])[] {
    return this.#field === '' && this.#row.length === 0 ? [] : this.#border(true)
  }

  /** A second quote stands for one; another one opens the field or ends it. */
  #quote(): void {
    if (this.#quoted === 'closing') this.#field += '"'
    this.#quoted = this.#quoted === 'yes' ? 'closing' : 'yes'
  }

  /** The end of a field, and maybe of its row. An empty line is not a row. */
  #border(isLast: boolean): readonly (readonly string[])[] {
    this.#row.push(isLast && this.#field.endsWith('\r') ? this.#field.slice(0, -1) : this.#field)
    this.#field = ''
    this.#quoted = 'no'
    if (!isLast) return []
    const row = this.#row
    this.#row = []
    return row.length > 1 || row[0] !== '' ? [row] : []
  }
}
