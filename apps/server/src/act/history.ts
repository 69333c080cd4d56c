import type { ActionRun, ActionStore, Instant } from '@septet/domain'

/** What is looked back on: the longest that a rule counts. */
const RUNS = 500
/** How long what was read stands for now, milliseconds. */
const FRESH_MS = 1000

type Parts = {
  readonly store: Pick<ActionStore, 'list'>
  readonly cluster: string
  readonly clock: () => Instant
}

/** The runs of a cluster as rules look back on them: as they were within the last second, with what was done here since. */
export class History {
  readonly #parts: Parts
  #read: { readonly at: Instant; readonly runs: Promise<readonly ActionRun[]>; readonly number: number } | undefined
  /** How many reads were begun, and what moved since the one with that number was. */
  #reads = 0
  readonly #moved = new Map<string, { readonly run: ActionRun; readonly read: number }>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Newest first. Throws what the store throws. */
  async runs(): Promise<readonly ActionRun[]> {
    const { store, cluster, clock } = this.#parts
    const now = clock()
    if (this.#read === undefined || Math.abs(now - this.#read.at) >= FRESH_MS) {
      this.#reads += 1
      this.#read = { at: now, runs: store.list({ cluster, limit: RUNS }), number: this.#reads }
    }
    const { runs, number } = this.#read
    const listed = (await runs).map((run) => this.#newest(run))
    const known = new Set(listed.map(({ id }) => id))
    const missing = [...this.#moved.values()].filter(({ run }) => !known.has(run.id))
    // What was there before it was read and is not in it is older than all that a rule counts.
    const older = missing.filter(({ read }) => read < number)
    for (const { run } of older) this.#moved.delete(run.id)
    return [...missing.flatMap(({ run, read }) => (read < number ? [] : run)), ...listed]
  }

  #newest(run: ActionRun): ActionRun {
    const moved = this.#moved.get(run.id)?.run
    if (moved !== undefined && moved.transitions.length > run.transitions.length) return moved
    this.#moved.delete(run.id)
    return run
  }

  /** What was done here to a run: the next question must see it, and what is being read may be from before. */
  moved(run: ActionRun): void {
    this.#moved.set(run.id, { run, read: this.#reads })
  }
}
