/** A map that keeps what was asked for last, up to a number of entries, and forgets the rest. */
export class RecentlyUsed<Value> {
  readonly #entries = new Map<string, Value>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  forget(key: string): void {
    this.#entries.delete(key)
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined && this.#entries.size > this.#most) this.#entries.delete(oldest)
  }
}
