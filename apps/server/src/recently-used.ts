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

  values = (): Iterable<Value> => this.#entries.values()

  set(key: string, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined && this.#entries.size > this.#most) this.#entries.delete(oldest)
  }
}

/** What was read lately, by key. */
export type KeptFor<Value> = {
  /** As it was read, if that is not too long ago; else it is read now. A failure is thrown to those who wait, and not kept. */
  get(key: string, read: () => Promise<Value>): Promise<Value>
  forget(key: string): void
}

/** Keeps what was read for so many milliseconds: many ask for the same at once, and again soon. */
export function keptFor<Value>(milliseconds: number, now: () => number): KeptFor<Value> {
  const kept = new Map<string, { readonly at: number; readonly value: Promise<Value> }>()
  return {
    get(key, read) {
      const at = now()
      // A clock that was put back must not keep anything for long.
      for (const [other, { at: since }] of kept) if (at < since || at - since >= milliseconds) kept.delete(other)
      const known = kept.get(key)?.value
      if (known !== undefined) return known
      const value = read()
      kept.set(key, { at, value })
      value.catch(() => kept.get(key)?.value === value && kept.delete(key))
      return value
    },
    forget: (key) => void kept.delete(key),
  }
}
