/** Without any answer for so long it is asked whether the database is still there. */
const SUSPECT_MS = 1500
const LOOK_MS = 500
const PING_EVERY_MS = 1000
/** A process that was itself held up takes its first question for unanswered. */
const PINGS = 2
/** Of a process that has no time for answers at all it is known no more than that they do not come. */
const MOST_PINGS = 10

type Pinging = {
  /** Asks on a connection of its own. Rejects where no answer comes soon. */
  readonly ping: () => Promise<void>
  readonly now: () => number
  /** Begins to watch this process; tells whether it had time to hear an answer since. */
  readonly watch: () => () => boolean
}

/** What is thrown in place of an answer that would not come; its code is that of a connection without one. */
class SilentError extends Error {
  readonly code = 'ETIMEDOUT'
}

/**
 * Notices that a database stands still: a stopped process, a disk that hangs, a network that drops what is sent. Questions
 * would wait for minutes; here they fail within seconds, and new ones at once, until it answers again. A question that only
 * takes long fails nothing, as the database answers others meanwhile.
 */
export class Silence {
  readonly #pinging: Pinging
  /** The way to fail each question that is out. Raced against one promise, each answer would be held for as long as that. */
  readonly #open = new Set<(because: Error) => void>()
  #heardAt = 0
  #looking: NodeJS.Timeout | undefined
  #isAsking = false
  #isSilent = false

  constructor(pinging: Pinging) {
    this.#pinging = pinging
  }

  /** What the work gives, or an error once the database is known to be silent. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isSilent) throw new SilentError('no answer')
    if (this.#open.size === 0) this.#heardAt = this.#pinging.now()
    this.#looking ??= setInterval(() => void this.#look(), LOOK_MS).unref()
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    this.#open.add(reject)
    try {
      work().then(resolve, reject)
      return await promise
    } finally {
      this.#open.delete(reject)
      this.#heardAt = this.#pinging.now()
      if (this.#open.size === 0) {
        clearInterval(this.#looking)
        this.#looking = undefined
      }
    }
  }

  async #look(): Promise<void> {
    if (this.#isAsking || this.#isSilent || this.#pinging.now() - this.#heardAt < SUSPECT_MS) return
    this.#isAsking = true
    let unanswered = 0
    for (let asked = 0; unanswered < PINGS && asked < MOST_PINGS; asked += 1) {
      const hadTime = this.#pinging.watch()
      if (await this.#answers()) {
        this.#heardAt = this.#pinging.now()
        this.#isAsking = false
        return
      }
      if (hadTime()) unanswered += 1
    }
    this.#isAsking = false
    this.#fallSilent()
  }

  readonly #answers = (): Promise<boolean> =>
    this.#pinging.ping().then(
      () => true,
      () => false,
    )

  #fallSilent(): void {
    this.#isSilent = true
    for (const fail of this.#open) fail(new SilentError('no answer'))
    const listening = setInterval(() => void this.#listen(listening), PING_EVERY_MS).unref()
  }

  async #listen(listening: NodeJS.Timeout): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    this.#isSilent = !(await this.#answers())
    this.#isAsking = false
    if (!this.#isSilent) clearInterval(listening)
  }
}
