import type { ClusterSnapshot, Store } from '@septet/domain'

import { rememberWork } from '../known-work.ts'

const EVERY_MS = 300_000

/** Keeps the newest snapshot of a cluster. Only a restart asks for it, and on a large fleet it is megabytes: every few minutes is enough. */
export class SnapshotKeeper {
  readonly #store: Pick<Store, 'snapshots' | 'settings'>
  readonly #cluster: string
  /** When the snapshot was taken that was saved last. */
  #savedAt = 0

  constructor(store: Pick<Store, 'snapshots' | 'settings'>, cluster: string) {
    this.#store = store
    this.#cluster = cluster
  }

  /** `last`: however little time has passed. Throws the store's error; it is saved the next time then. */
  async keep(snapshot: ClusterSnapshot | undefined, last: boolean): Promise<void> {
    if (snapshot === undefined || snapshot.takenAt === this.#savedAt) return
    const age = snapshot.takenAt - this.#savedAt
    // Where the clock went back, the one that is saved is of the future.
    if (!last && age >= 0 && age < EVERY_MS) return
    await this.#store.snapshots.save(snapshot)
    // What has ended is still charged by its labels, and known again under another name.
    await rememberWork(this.#store.settings, this.#cluster, { workloads: snapshot.workloads, now: snapshot.takenAt })
    this.#savedAt = snapshot.takenAt
  }
}
