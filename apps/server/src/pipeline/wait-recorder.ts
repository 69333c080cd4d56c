import {
  followWaits,
  judgeWaits,
  NO_WAITS,
  recallWaits,
  waitersOf,
  type ClusterSnapshot,
  type Instant,
  type PartitionId,
  type WaitJudge,
  type WaitMemory,
  type WaitStore,
  type WaitStretch,
} from '@septet/domain'

export type WaitLookAt = {
  readonly snapshot: ClusterSnapshot
  /** Partitions that are idle-held. */
  readonly idle: ReadonlySet<PartitionId>
  readonly now: Instant
}

/** On a large fleet a look at all GPUs takes a third of a second. */
const JUDGED_MS = 60_000

/** Keeps for how long the work of one cluster waits, and for what; goes on after a restart where the last one ended. */
export class WaitRecorder {
  readonly #store: WaitStore
  readonly #cluster: string
  #memory: WaitMemory = NO_WAITS
  /** Waiters of the last look that the store was asked about. */
  #asked: ReadonlySet<string> = new Set()
  #unwritten = new Map<string, WaitStretch>()
  #judge: { readonly at: Instant; readonly judge: WaitJudge } | undefined

  constructor(store: WaitStore, cluster: string) {
    this.#store = store
    this.#cluster = cluster
  }

  /** Adds what one look at the cluster tells. Throws the store's error; nothing is lost by that, the next look tells it too. */
  async look({ snapshot, idle, now }: WaitLookAt): Promise<void> {
    const ids = [
      ...[...snapshot.pods, ...(snapshot.finished ?? [])].map(({ uid }) => uid),
      ...snapshot.workloads.map((workload) => `workload/${workload.id}`),
    ]
    const fresh = ids.filter((id) => !this.#asked.has(id))
    const kept = fresh.length === 0 ? [] : await this.#store.last(this.#cluster, fresh)
    this.#asked = new Set(ids)
    const before = recallWaits(this.#memory, kept)
    const isKnown = (waiter: string): boolean => before.waiting.has(waiter) || before.ended.has(waiter)
    const waiters = waitersOf({ snapshot, judge: this.#judgeOf({ snapshot, idle, now }), isKnown })
    const { memory, stretches } = followWaits(before, { at: now, waiters })
    this.#memory = memory
    for (const stretch of stretches) this.#unwritten.set(`${stretch.waiter} ${stretch.from}`, stretch)
  }

  /** What the GPUs say is looked at once a minute; what the scheduler says, at every look. */
  #judgeOf({ snapshot, idle, now }: WaitLookAt): WaitJudge {
    if (this.#judge === undefined || now - this.#judge.at >= JUDGED_MS) {
      this.#judge = { at: now, judge: judgeWaits(snapshot, idle) }
    }
    return this.#judge.judge
  }

  /** Writes what is not written yet. What could not be written is written the next time. */
  async flush(): Promise<void> {
    const writing = this.#unwritten
    this.#unwritten = new Map()
    try {
      await this.#store.write(this.#cluster, [...writing.values()])
    } catch (error) {
      this.#unwritten = new Map([...writing, ...this.#unwritten])
      throw error
    }
  }
}
