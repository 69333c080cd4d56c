import { alreadyThere, ownerGone } from './access-failures.ts'

/** Rows by key. Callers get copies; what they hand in was copied by the codecs. */
export class MemoryTable<Row> {
  readonly #rows = new Map<string, Row>()
  readonly #keyOf: (row: Row) => string

  constructor(keyOf: (row: Row) => string) {
    this.#keyOf = keyOf
  }

  get(key: string): Row | undefined {
    return structuredClone(this.#rows.get(key))
  }

  /** Those that fit, in the order they came. */
  where(fits: (row: Row) => boolean): Row[] {
    return structuredClone([...this.#rows.values()].filter(fits))
  }

  put(row: Row): void {
    this.#rows.set(this.#keyOf(row), row)
  }

  /** Throws a `StoreError` when a row with this key is there. */
  insert(row: Row): void {
    if (this.#rows.has(this.#keyOf(row))) throw alreadyThere()
    this.put(row)
  }

  /** As `insert`; also throws when the owner that it belongs to is gone. */
  insertFor(owner: object | undefined, row: Row): void {
    if (owner === undefined && !this.#rows.has(this.#keyOf(row))) throw ownerGone()
    this.insert(row)
  }

  /** The row as it is then; undefined when there is none, or it does not fit. */
  change(key: string, columns: Partial<Row>, fits: (row: Row) => boolean = () => true): Row | undefined {
    const found = this.#rows.get(key)
    if (found === undefined || !fits(found)) return undefined
    const changed = { ...found, ...columns }
    this.#rows.set(key, changed)
    return structuredClone(changed)
  }

  /** The row that went. */
  take(key: string): Row | undefined {
    const found = this.#rows.get(key)
    this.#rows.delete(key)
    return found
  }

  /** How many went. */
  removeWhere(fits: (row: Row) => boolean): number {
    const gone = this.where(fits)
    for (const row of gone) this.#rows.delete(this.#keyOf(row))
    return gone.length
  }
}
