import { instant, type AdmissionRecord, type AdmissionStore, type Log } from '@septet/domain'

const FLUSH_MS = 1000
/** Rows of one statement. */
const BATCH = 500
/** While the database is away so many wait; then the oldest are given up. */
const MOST_WAITING = 10_000
const PRUNE_EVERY_MS = 3_600_000
const KEPT_MS = 90 * 86_400_000

export type RecordParts = {
  readonly store: Pick<AdmissionStore, 'add' | 'prune'>
  readonly log: Log
  readonly now: () => number
}

/** Writes down what was answered, behind the answers: none waits for the database. */
export class AdmissionRecords {
  readonly #parts: RecordParts
  #waiting: { readonly cluster: string; readonly record: AdmissionRecord }[] = []
  readonly #changes = new Map<string, number>()
  readonly #givenUp = new Map<string, number>()
  #toldOf = 0
  #flushing: Promise<void> = Promise.resolve()
  #prunedAt = 0
  readonly #timer: NodeJS.Timeout

  constructor(parts: RecordParts) {
    this.#parts = parts
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref()
  }

  add(cluster: string, record: AdmissionRecord): void {
    this.#waiting.push({ cluster, record })
    if (record.kind === 'changed') this.#changes.set(cluster, this.changes(cluster) + 1)
    const oldest = this.#waiting.length > MOST_WAITING ? this.#waiting.shift() : undefined
    if (oldest !== undefined) this.#givenUp.set(oldest.cluster, this.unrecorded(oldest.cluster) + 1)
  }

  /** How many answers about pods of a cluster this process could not write down since it began. */
  unrecorded = (cluster: string): number => this.#givenUp.get(cluster) ?? 0

  /** How many pods of a cluster this process has changed. */
  changes = (cluster: string): number => this.#changes.get(cluster) ?? 0

  /** Resolves when all that was added before is written, or could not be. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write())
    return this.#flushing
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  /** Once for all that were given up since it was said last: there may be hundreds a second. */
  #tellOfGivenUp(): void {
    const givenUp = [...this.#givenUp.values()].reduce((sum, count) => sum + count, 0)
    if (givenUp === this.#toldOf) return
    this.#toldOf = givenUp
    this.#parts.log.warn('admission records were given up, as the database does not answer', { givenUp })
  }

  async #write(): Promise<void> {
    const { store, log, now } = this.#parts
    this.#tellOfGivenUp()
    try {
      while (this.#waiting.length > 0) {
        const batch = this.#waiting.slice(0, BATCH)
        for (const [cluster, rows] of Map.groupBy(batch, (each) => each.cluster)) {
          await store.add(
            cluster,
            rows.map(({ record }) => record),
          )
          const done = new Set(rows)
          this.#waiting = this.#waiting.filter((each) => !done.has(each))
        }
      }
      if (now() - this.#prunedAt < PRUNE_EVERY_MS) return
      this.#prunedAt = now()
      await store.prune(instant(now() - KEPT_MS))
    } catch (error) {
      log.warn('what was answered about new pods could not be written yet', { error: String(error) })
    }
  }
}
