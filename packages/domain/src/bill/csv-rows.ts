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

  /** The end of a field, and maybe of its row. An empty line is no row. */
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
