import {
  type ClusterReader,
  type ClusterRecord,
  type ClusterSnapshot,
  type Instant,
  type Log,
  type Store,
  clusterChanges,
  rememberChanges,
  type ChangeMemory,
  type ChangeSources,
  type ClusterEvent,
  type ClusterEventStore,
} from '@septet/domain'
import { oneAfterTheOther } from '../one-after-the-other.ts'
import type { ReadingFeed } from './agent-feed.ts'
import type { Collector } from './collect.ts'
import type { RecentUsage } from './recent-usage.ts'
import { WaitRecorder } from './wait-recorder.ts'

/** More GPUs than this with an XID in the past, and the oldest of them may be told once more after a restart. */
const REMEMBERED = 20_000

/** Writes down what happens to one cluster. What could not be written is written at the next look. */
class EventRecorder {
  readonly #store: ClusterEventStore
  readonly #cluster: string
  #memory: ChangeMemory | undefined
  #unwritten: readonly ClusterEvent[] = []

  constructor(store: ClusterEventStore, cluster: string) {
    this.#store = store
    this.#cluster = cluster
  }

  /** `before`: the last snapshot of an earlier process, so that what changed meanwhile is told. Throws the store's error. */
  async record(sources: ChangeSources, before: ChangeSources['snapshot'] | undefined): Promise<number> {
    this.#memory ??= await this.#remember(before)
    const { events, memory } = clusterChanges(this.#memory, sources)
    this.#memory = memory
    this.#unwritten = [...this.#unwritten, ...events]
    if (this.#unwritten.length === 0) return 0
    await this.#store.add(this.#cluster, this.#unwritten)
    this.#unwritten = []
    return events.length
  }

  async #remember(before: ChangeSources['snapshot'] | undefined): Promise<ChangeMemory> {
    const kinds = ['xid', 'xid-cleared'] as const
    return rememberChanges(before, await this.#store.list({ cluster: this.#cluster, kinds, limit: REMEMBERED }))
  }
}

type ReadingParts = {
  readonly record: ClusterRecord
  readonly reader: ClusterReader
  readonly feed: ReadingFeed | undefined
  readonly collector: Collector
  readonly recent: RecentUsage
  readonly store: Pick<Store, 'events' | 'waits'>
  readonly log: Log
  readonly clock: () => Instant
  /** Told what each reading saw. */
  readonly look: (at: Instant, snapshot: ClusterSnapshot) => Promise<void>
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
    const { collector, recent, feed, clock, log, record, reader, look } = this.#parts
    const snapshot = collector.snapshot()
    if (snapshot === undefined) return
    const now = feed?.at() ?? clock()
    const onFailure = (error: unknown): void =>
      log.warn('what happened could not be written yet', { cluster: record.id, error: String(error) })
    await look(snapshot.takenAt, snapshot).catch(onFailure)
    await this.#events.record({ snapshot, samples: collector.judged(), now }, this.#restored).catch(onFailure)
    // While the API server is away nobody knows who still waits.
    if (reader.state().kind !== 'connected') return
    await this.#waits.look({ snapshot, idle: recent.idle(), now }).catch(onFailure)
  }
}
