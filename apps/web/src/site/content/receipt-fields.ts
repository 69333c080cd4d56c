/** Reads the fields of a file that was parsed, and names the file when one is not as it should be. */
export class ReceiptFields {
  readonly #path: string
  readonly #values: ReadonlyMap<string, unknown>

  constructor(path: string, value: unknown) {
    if (typeof value !== 'object' || value === null) throw new Error(`${path} is not a receipt`)
    this.#path = path
    this.#values = new Map(Object.entries(value))
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  text(name: string): string {
    const value = this.#values.get(name)
    if (typeof value !== 'string') throw new Error(`${this.#path} lacks the text “${name}”`)
    return value
  }

  /** Undefined where a measurement is missing: that is not 0. */
  number(name: string): number | undefined {
    const value = this.#values.get(name)
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined
  }

  list(name: string): readonly unknown[] {
    const value = this.#values.get(name)
    if (!Array.isArray(value)) throw new Error(`${this.#path} lacks the list “${name}”`)
    return value
  }

  child(name: string): ReceiptFields {
    return new ReceiptFields(`${this.#path}, ${name}`, this.#values.get(name))
  }

  show(name: string): string {
    const value = this.#values.get(name)
    return typeof value === 'string' || typeof value === 'number' ? String(value) : 'unknown'
  }
}
