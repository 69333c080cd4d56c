import {
  clusterChanges,
  rememberChanges,
  type ChangeMemory,
  type ChangeSources,
  type ClusterEvent,
  type ClusterEventStore,
} from '@septet/domain'

/** More GPUs than this with an XID in the past, and the oldest of them may be told once more after a restart. */
const REMEMBERED = 20_000

/** Writes down what happens to one cluster. What could not be written is written at the next look. */
export class EventRecorder {
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
