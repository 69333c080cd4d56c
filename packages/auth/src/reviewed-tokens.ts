import type { Instant } from '@septet/domain'

/** How long a yes is believed, milliseconds: so long a pod that is gone can still be let in. */
const YES_MS = 30_000
/** And a no, or that no answer came. */
const NO_MS = 5000
const MOST_REMEMBERED = 10_000

type Verdict = { readonly user: Promise<string | undefined>; until: number }

type Asked = {
  readonly now: () => Instant
  readonly expiresAt: Instant
  readonly review: () => Promise<string | undefined>
}

/** Whose tokens API servers said lately they are, by hash. Who asks again before the answer has come waits for the same one. */
export class ReviewedTokens {
  readonly #verdicts = new Map<string, Verdict>()

  find(key: string, { now, expiresAt, review }: Asked): Promise<string | undefined> {
    const known = this.#verdicts.get(key)
    if (known !== undefined && now() < known.until) return known.user
    const verdict: Verdict = { user: review(), until: Infinity }
    const holds = (until: number): void => {
      verdict.until = until
    }
    verdict.user.then(
      (user) => holds(user === undefined ? now() + NO_MS : Math.min(now() + YES_MS, expiresAt)),
      () => holds(now() + NO_MS),
    )
    this.#keep(key, verdict)
    return verdict.user
  }

  #keep(key: string, verdict: Verdict): void {
    this.#verdicts.delete(key)
    this.#verdicts.set(key, verdict)
    if (this.#verdicts.size <= MOST_REMEMBERED) return
    const [oldest] = this.#verdicts.keys()
    if (oldest !== undefined) this.#verdicts.delete(oldest)
  }
}
