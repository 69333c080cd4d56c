import { rowAt, type Columns } from './columns.ts'

/** Records by key, read out of their columns one by one: what nobody looks at takes no memory. */
export class ColumnMap<Row> implements ReadonlyMap<string, Row> {
  readonly #columns: Columns<Row>
  readonly #keyOf: (row: Row) => string
  #places: ReadonlyMap<string, number> | undefined

  constructor(columns: Columns<Row>, keyOf: (row: Row) => string) {
    this.#columns = columns
    this.#keyOf = keyOf
  }

  get size(): number {
    return this.#index().size
  }

  get(key: string): Row | undefined {
    const place = this.#index().get(key)
    return place === undefined ? undefined : rowAt(this.#columns, place)
  }

  has(key: string): boolean {
    return this.#index().has(key)
  }

  forEach(look: (row: Row, key: string, map: ReadonlyMap<string, Row>) => void): void {
    for (const [key, row] of this) look(row, key, this)
  }

  keys(): MapIterator<string> {
    return this.#index().keys()
  }

  *values(): MapIterator<Row> {
    for (const place of this.#index().values()) yield rowAt(this.#columns, place)
  }

  *entries(): MapIterator<[string, Row]> {
    for (const [key, place] of this.#index()) yield [key, rowAt(this.#columns, place)]
  }

  [Symbol.iterator](): MapIterator<[string, Row]> {
    return this.entries()
  }

  /** Of several rows of one key the last counts, as in any map. */
  #index(): ReadonlyMap<string, number> {
    if (this.#places !== undefined) return this.#places
    const places = new Map<string, number>()
    for (let at = 0; at < this.#columns.length; at += 1) places.set(this.#keyOf(rowAt(this.#columns, at)), at)
    this.#places = places
    return places
  }
}
