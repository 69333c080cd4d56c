/** A list of flat records, column by column; values that repeat are written once. */
export type Columns<Row> = {
  readonly length: number
  readonly columns: readonly Column[]
  /** Never there: it only says what the rows are. */
  readonly of?: Row
}

type Column =
  | { readonly kind: 'numbers'; readonly name: string; readonly values: Float64Array; readonly there: Uint8Array }
  /** `at` is 1 more than the place of a row's value among `values`; 0 where the row has none. */
  | { readonly kind: 'values'; readonly name: string; readonly values: readonly unknown[]; readonly at: Uint32Array }

/** What a row has under a name that is absent or undefined comes back absent. */
export function packColumns<Row extends object>(rows: readonly Row[]): Columns<Row> {
  const entries = rows.map((row) => Object.entries(row))
  const makers = new Map<string, ColumnMaker>()
  for (const [at, fields] of entries.entries()) {
    for (const [name, value] of fields) {
      if (value === undefined) continue
      const maker = makers.get(name) ?? new ColumnMaker(name, rows.length)
      makers.set(name, maker)
      maker.put(at, value)
    }
  }
  return { length: rows.length, columns: [...makers.values()].map((maker) => maker.column()) }
}

/** One row as it was, made again with each call. */
export function rowAt<Row>({ columns }: Columns<Row>, at: number): Row {
  const row = Object.create(Object.prototype)
  for (const column of columns) {
    if (column.kind === 'numbers') {
      if (column.there[at] === 1) row[column.name] = column.values[at]
      continue
    }
    const place = column.at[at] ?? 0
    if (place > 0) row[column.name] = column.values[place - 1]
  }
  return row
}

export const rowsIn = <Row>(columns: Columns<Row>): Row[] =>
  Array.from({ length: columns.length }, (_, at) => rowAt(columns, at))

/** Takes a column for numbers until something else comes. */
class ColumnMaker {
  readonly #name: string
  readonly #length: number
  readonly #numbers: Float64Array
  readonly #there: Uint8Array
  #places: Uint32Array | undefined
  readonly #values: unknown[] = []
  readonly #known = new Map<unknown, number>()

  constructor(name: string, length: number) {
    this.#name = name
    this.#length = length
    this.#numbers = new Float64Array(length)
    this.#there = new Uint8Array(length)
  }

  put(at: number, value: unknown): void {
    if (typeof value === 'number' && this.#places === undefined) {
      this.#numbers[at] = value
      this.#there[at] = 1
      return
    }
    const places = (this.#places ??= this.#withNumbers())
    places[at] = this.#placeOf(value)
  }

  column(): Column {
    return this.#places === undefined
      ? { kind: 'numbers', name: this.#name, values: this.#numbers, there: this.#there }
      : { kind: 'values', name: this.#name, values: this.#values, at: this.#places }
  }

  #withNumbers(): Uint32Array {
    const places = new Uint32Array(this.#length)
    for (let at = 0; at < this.#length; at += 1) {
      if (this.#there[at] === 1) places[at] = this.#placeOf(this.#numbers[at])
    }
    return places
  }

  #placeOf(value: unknown): number {
    // A text never begins with this sign, so no text is taken for an object.
    const key = typeof value === 'object' ? `\u0000${JSON.stringify(value)}` : value
    const known = this.#known.get(key)
    if (known !== undefined) return known
    this.#values.push(value)
    this.#known.set(key, this.#values.length)
    return this.#values.length
  }
}
