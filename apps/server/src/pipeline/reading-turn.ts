import type { ClusterReader, ClusterRecord, ClusterSnapshot, Instant, Log, Store } from '@septet/domain'

import { oneAfterTheOther } from '../one-after-the-other.ts'
import type { ReadingFeed } from './agent-feed.ts'
import type { Collector } from './collect.ts'
import { EventRecorder } from './event-recorder.ts'
import type { RecentUsage } from './recent-usage.ts'
import { WaitRecorder } from './wait-recorder.ts'

type ReadingParts = {
  readonly record: ClusterRecord
  readonly reader: ClusterReader
  readonly feed: ReadingFeed | undefined
  readonly collector: Collector
  readonly recent: RecentUsage
  readonly store: Pick<Store, 'events' | 'waits'>
  readonly log: Log
  readonly clock: () => Instant
}

/** Reads the cluster, or works on what was read elsewhere, and records what happened since. */
export class ReadingTurn {
  readonly #parts: ReadingParts
  readonly #events: EventRecorder
  readonly #waits: WaitRecorder
  /** Of two turns at once each would take the other's readings. */
  readonly #inTurn = oneAfterTheOther()
  /** What an earlier process saw last. */
  #restored: ClusterSnapshot | undefined
  #isSilent = false
  #stopping = false

  constructor(parts: ReadingParts) {
    this.#parts = parts
    this.#events = new EventRecorder(parts.store.events, parts.record.id)
    this.#waits = new WaitRecorder(parts.store.waits, parts.record.id)
  }

  restore(snapshot: ClusterSnapshot): void {
    this.#restored = snapshot
    this.#parts.collector.restore(snapshot)
  }

  /** One reading, or all that came meanwhile. False where nothing is new. */
  take = (): Promise<boolean> => this.#inTurn(() => this.#take())

  /** Writes what is not written yet. */
  flush = (): Promise<void> => this.#waits.flush()

  /** No further reading is begun. */
  stop(): void {
    this.#stopping = true
  }

  async #take(): Promise<boolean> {
    const { feed, collector } = this.#parts
    if (feed === undefined) return this.#takeOne()
    let isNew = false
    while (!this.#stopping && (await feed.next())) isNew = (await this.#takeOne()) || isNew
    const silence = feed.silence()
    const wasSilent = this.#isSilent
    this.#isSilent = silence !== undefined
    if (silence !== undefined && !wasSilent) collector.miss(silence)
    return isNew || this.#isSilent !== wasSilent
  }

  async #takeOne(): Promise<boolean> {
    if (!(await this.#parts.collector.collect())) return false
    await this.#recordEvents()
    return true
  }

  /** What happened since the last look. A store that does not answer must not stop the reading. */
  async #recordEvents(): Promise<void> {
    const { collector, recent, feed, clock, log, record, reader } = this.#parts
    const snapshot = collector.snapshot()
    if (snapshot === undefined) return
    const now = feed?.at() ?? clock()
    const onFailure = (error: unknown): void =>
      log.warn('what happened could not be written yet', { cluster: record.id, error: String(error) })
    await this.#events.record({ snapshot, samples: collector.judged(), now }, this.#restored).catch(onFailure)
    // While the API server is away nobody knows who still waits.
    if (reader.state().kind !== 'connected') return
    await this.#waits.look({ snapshot, idle: recent.idle(), now }).catch(onFailure)
  }
}
