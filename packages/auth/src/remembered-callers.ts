import type { Instant, Caller } from '@septet/domain'

/** How long after they were last let in somebody is believed while the database is away, milliseconds. */
const BELIEVED_MS = 15 * 60_000
const MOST_REMEMBERED = 10_000

type Remembered = { readonly caller: Caller; readonly until: number }

/**
 * Who was let in lately, by the hash of what they showed: for the time when the database does not answer, so that the
 * people who look at live figures then are not shut out. Nobody can be signed out, revoked or demoted in that time; what
 * was decided shortly before it, and not met by a request since, is what this can miss.
 */
export class RememberedCallers {
  readonly #callers = new Map<string, Remembered>()

  /** `expiresAt`: when what they showed ends by itself. */
  keep(
    key: string,
    caller: Caller,
    { now, expiresAt }: { readonly now: Instant; readonly expiresAt: Instant | undefined },
  ): void {
    this.#callers.delete(key)
    this.#callers.set(key, { caller, until: Math.min(expiresAt ?? Infinity, now + BELIEVED_MS) })
    if (this.#callers.size <= MOST_REMEMBERED) return
    const [oldest] = this.#callers.keys()
    if (oldest !== undefined) this.#callers.delete(oldest)
  }

  forget(key: string): void {
    this.#callers.delete(key)
  }

  find(key: string, now: Instant): Caller | undefined {
    const found = this.#callers.get(key)
    return found !== undefined && now < found.until ? found.caller : undefined
  }
}
