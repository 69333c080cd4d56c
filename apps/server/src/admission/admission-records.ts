import { instant, type AdmissionRecord, type AdmissionStore, type Log, DAY_MS, HOUR_MS } from '@septet/domain'

import { LoopRecord, type LoopState } from '../repeat.ts'
import type { Changes } from './admission-messages.ts'

const FLUSH_MS = 1000
/** Rows of one statement. */
const BATCH = 500
/** While the database is away so many wait; then the oldest are given up. */
const MOST_WAITING = 10_000
const PRUNE_EVERY_MS = HOUR_MS
const KEPT_MS = 90 * DAY_MS

export type RecordParts = {
  readonly store: Pick<AdmissionStore, 'add' | 'prune'>
  readonly log: Log
  readonly now: () => number
  /** Called when fewer changed pods of a cluster wait to be written down than before. */
  readonly settled?: (cluster: string) => void
}

type Waiting = { readonly cluster: string; readonly record: AdmissionRecord }
const NONE: Changes = { made: 0, settled: 0 }

/** Writes down what was answered, behind the answers: none waits for the database. */
export class AdmissionRecords {
  readonly #parts: RecordParts
  #waiting: Waiting[] = []
  readonly #changed = new Map<string, Changes>()
  readonly #givenUp = new Map<string, number>()
  #toldOf = 0
  #flushing: Promise<void> = Promise.resolve()
  #prunedAt = 0
  readonly #record = new LoopRecord('admission-records', FLUSH_MS)
  readonly #timer: NodeJS.Timeout

  constructor(parts: RecordParts) {
    this.#parts = parts
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref()
  }

  add(cluster: string, record: AdmissionRecord): void {
    this.#waiting.push({ cluster, record })
    if (record.kind === 'changed') this.#count(cluster, { made: 1, settled: 0 })
    const oldest = this.#waiting.length > MOST_WAITING ? this.#waiting.shift() : undefined
    if (oldest === undefined) return
    this.#givenUp.set(oldest.cluster, this.unrecorded(oldest.cluster) + 1)
    this.#settle(oldest.cluster, [oldest])
  }

  /** How many answers about pods of a cluster this process could not write down since it began. */
  unrecorded = (cluster: string): number => this.#givenUp.get(cluster) ?? 0

  /** How many pods of a cluster this process has changed, and how many of them do not wait here any more. */
  changes = (cluster: string): Changes => this.#changed.get(cluster) ?? NONE

  /** Resolves when all that was added before is written, or could not be. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write())
    return this.#flushing
  }

  loop = (): LoopState => this.#record.state()

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  #settle(cluster: string, rows: readonly Waiting[]): void {
    const settled = rows.filter(({ record }) => record.kind === 'changed').length
    if (settled === 0) return
    this.#count(cluster, { made: 0, settled })
    this.#parts.settled?.(cluster)
  }

  #count(cluster: string, more: Changes): void {
    const { made, settled } = this.changes(cluster)
    this.#changed.set(cluster, { made: made + more.made, settled: settled + more.settled })
  }

  /** Once for all that were given up since it was said last: there may be hundreds a second. */
  #tellOfGivenUp(): void {
    const givenUp = [...this.#givenUp.values()].reduce((sum, count) => sum + count, 0)
    if (givenUp === this.#toldOf) return
    this.#toldOf = givenUp
    this.#parts.log.warn('admission records were given up, as the database is not responding', { givenUp })
  }

  async #write(): Promise<void> {
    this.#tellOfGivenUp()
    await this.#record
      .run(() => this.#writeAll())
      .catch((error: unknown) =>
        this.#parts.log.warn('what was answered about new pods could not be written yet', { error: String(error) }),
      )
  }

  async #writeAll(): Promise<void> {
    const { store, now } = this.#parts
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, BATCH)
      for (const [cluster, rows] of Map.groupBy(batch, (each) => each.cluster)) {
        await store.add(
          cluster,
          rows.map(({ record }) => record),
        )
        const done = new Set(rows)
        const left = this.#waiting.filter((each) => !done.has(each))
        // One that was given up while it was written is counted already.
        const written = this.#waiting.filter((each) => done.has(each))
        this.#waiting = left
        this.#settle(cluster, written)
      }
    }
    if (now() - this.#prunedAt < PRUNE_EVERY_MS) return
    this.#prunedAt = now()
    await store.prune(instant(now() - KEPT_MS))
  }
}
