import type { ServerEvent } from '@septet/contract'

export type LoggedEvent = { readonly id: string; readonly event: ServerEvent; readonly at: number }

/**
 * The last events, numbered, for streams that come back. Ids carry the process's own name, so that a client that knew an
 * earlier process, or another server, is told to start over (`undefined`) instead of being given the wrong events.
 */
export class SentEventLog {
  readonly #kept: LoggedEvent[] = []
  readonly #listeners = new Set<(logged: LoggedEvent) => void>()
  readonly #epoch: string
  readonly #capacity: number
  readonly #now: () => number
  #next = 1
  /** From when on all that happened is kept. */
  #keptFrom: number

  /** `now`: steady, in milliseconds. */
  constructor(epoch: string, now: () => number, capacity = 1000) {
    this.#epoch = epoch
    this.#now = now
    this.#capacity = capacity
    this.#keptFrom = now()
  }

  publish(event: ServerEvent): void {
    const logged = { id: `${this.#epoch}-${this.#next++}`, event, at: this.#now() }
    this.#kept.push(logged)
    if (this.#kept.length > this.#capacity) this.#keptFrom = this.#kept.shift()?.at ?? this.#keptFrom
    for (const listener of this.#listeners) listener(logged)
  }

  /** Something may have been missed here: every client asks for everything again, also one that comes back later. */
  interrupted(): void {
    this.#kept.length = 0
    this.#keptFrom = this.#now()
    this.publish({ kind: 'reset', asOf: new Date().toISOString() })
  }

  /** Events after the given id; undefined when they are no longer, or were never, kept. */
  since(id: string): readonly LoggedEvent[] | undefined {
    const [epoch, number] = splitId(id)
    const first = this.#next - this.#kept.length
    if (epoch !== this.#epoch || number === undefined || number < first - 1 || number >= this.#next) return undefined
    return this.#kept.slice(number - first + 1)
  }

  /** Events of the last so many milliseconds; undefined when not all of them are kept. */
  ofLast(milliseconds: number): readonly LoggedEvent[] | undefined {
    const from = this.#now() - milliseconds
    return from <= this.#keptFrom ? undefined : this.#kept.filter(({ at }) => at >= from)
  }

  /** Calls the listener for every event from now on; returns the way to stop. */
  follow(listener: (logged: LoggedEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get followers(): number {
    return this.#listeners.size
  }

  lastId(): string {
    return `${this.#epoch}-${this.#next - 1}`
  }
}

function splitId(id: string): [string, number | undefined] {
  const cut = id.lastIndexOf('-')
  const number = id.slice(cut + 1)
  return [id.slice(0, cut), /^\d{1,15}$/u.test(number) ? Number(number) : undefined]
}
