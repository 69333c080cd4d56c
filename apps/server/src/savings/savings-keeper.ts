import type { ActionRun, ClusterSnapshot, Instant, RunState, Store, WorkReader } from '@septet/domain'

import { knownWork, readKnownWork } from '../known-work.ts'
import { keepAfterOf, measuredWindow } from './keep-after.ts'
import { keepBaselineOf } from './keep-baseline.ts'
import { subjectOf } from './saving-subject.ts'

export type KeeperOptions = {
  readonly cluster: string
  readonly store: Pick<Store, 'actions' | 'usage' | 'prices' | 'settings'>
  readonly clock: () => Instant
  /** Counts what workloads did; undefined where no metrics engine is asked. */
  readonly work?: WorkReader | undefined
  /** Undefined before the first reading. */
  readonly snapshot: () => ClusterSnapshot | undefined
}

/** From the approval on, as long as it stands. */
const STATES: readonly RunState[] = [
  'approved',
  'checked',
  'rehearsed',
  'handed-over',
  'warned',
  'applying',
  'applied',
  'verified',
  'kept',
]
/** The newest: what is older was measured to its end long ago. */
const MOST_RUNS = 500

/** Keeps what the object of each approved run held before it, and hour by hour since it was applied. */
export class SavingsKeeper {
  readonly #options: KeeperOptions
  /** Runs with a baseline, and up to when each is measured; 0: not at all yet. */
  readonly #keptTo = new Map<string, number>()

  constructor(options: KeeperOptions) {
    this.#options = options
  }

  /** One look. What fails of one run is tried again the next time; the first error is thrown after the others had their turn. */
  async turn(): Promise<void> {
    const { cluster, store, clock, work: reader, snapshot: read } = this.#options
    const [now, snapshot] = [clock(), read()]
    if (snapshot === undefined) return
    const runs = await store.actions.list({ cluster, states: STATES, limit: MOST_RUNS })
    const due = runs.filter((run) => subjectOf(run) !== undefined && this.#isDue(run, now))
    if (due.length === 0) return
    const kept = await store.actions.measured(due.map(({ id }) => id))
    const remembered = await readKnownWork(store.settings, cluster)
    const known = new Map([...remembered, ...snapshot.workloads.map((each) => [each.id, knownWork(each)] as const)])
    const parts = { store, snapshot, known, work: reader, now }
    const errors: unknown[] = []
    for (const run of due) {
      const measured = kept.get(run.id)
      const window = measuredWindow(run, now)
      const work =
        measured === undefined ? keepBaselineOf(run, parts) : window && keepAfterOf(run, measured, { ...parts, window })
      await Promise.resolve(work).then(
        () => this.#keptTo.set(run.id, measured === undefined ? 0 : (window?.to ?? 0)),
        (error: unknown) => errors.push(error),
      )
    }
    if (errors.length > 0) throw errors[0]
  }

  #isDue(run: ActionRun, now: Instant): boolean {
    const keptTo = this.#keptTo.get(run.id)
    return keptTo === undefined || (measuredWindow(run, now)?.to ?? 0) > keptTo
  }
}
