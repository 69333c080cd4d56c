import { BillSum, type Bill, type BillOptions } from './bill.ts'
import { type Flaw, notesOf } from './bill-notes.ts'
import { readNanos } from './exact-money.ts'
import { NEEDED_COLUMNS, readFocusLine, type FocusRecord } from './focus-line.ts'
import { RepeatedCharges } from './repeated-charges.ts'

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

/**
 * Adds up a bill in FOCUS 1.0 to 1.2 from the charges of its files. What stands in two files counts once. Throws in words
 * that say what to do where a file is none, and where two files are two versions of one bill.
 */
export async function readBill(
  files: readonly AsyncIterable<FocusRecord>[],
  options: BillOptions = {},
): Promise<ReadBill> {
  const [sum, known] = [new BillSum(options), new RepeatedCharges()]
  const flaws = new Map<string, Flaw>()
  let count = 0
  for (const [file, records] of files.entries()) {
    const before = count
    for await (const record of records) {
      if (count === before) needColumns(record)
      count += 1
      const line = readFocusLine(record)
      if ('flaw' in line) flaws.set(line.flaw, oneMore(flaws.get(line.flaw), { record, first: count, flaw: line.flaw }))
      else if (files.length === 1 || !known.isRepeated(line, file)) sum.add(line, count)
    }
  }
  if (count === 0) throw new Error('The bill has no charges in it. Export it again, for a month that has some.')
  const bill = sum.done()
  return { ...bill, notes: notesOf({ bill, flaws: [...flaws.values()], repeated: known.repeated }) }
}

type Unread = { readonly record: FocusRecord; readonly first: number; readonly flaw: string }

function oneMore(known: Flaw | undefined, { record, first, flaw }: Unread): Flaw {
  const effective = readNanos(record['EffectiveCost'] ?? '')
  const before = known ?? { flaw, lines: 0, first, effective: 0n, costed: 0 }
  return {
    ...before,
    lines: before.lines + 1,
    effective: before.effective + (effective ?? 0n),
    costed: before.costed + (effective === undefined ? 0 : 1),
  }
}

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
