import { stateOf, type ActionRun, type Instant } from '@septet/domain'

/** After the first look at which nothing came of a run; each further one lets it rest twice as long. Milliseconds. */
const FIRST_MS = 300
/** What waits for the cluster rests for so long at most, milliseconds. */
const MOST_MS = 2000
/** What waits for a rule to let it begin: to judge it takes much more than to look at an object, milliseconds. */
const JUDGED_MS = 5000
/** For so long somebody may sit before it and wait for a reading that is just coming; it rests a second at most, milliseconds. */
const AWAITED_MS = 15_000

/** When it is worth to look at a run again: at once when something has happened to it, and ever more seldom while it waits. */
export class Rests {
  readonly #waiting = new Map<string, { readonly number: number; readonly since: Instant; readonly restMs: number }>()

  isDue(run: ActionRun, now: Instant): boolean {
    const waits = this.#waiting.get(run.id)
    if (waits === undefined || waits.number !== stateOf(run).number) return true
    // A clock may jump back.
    return Math.abs(now - waits.since) >= waits.restMs
  }

  /** It was looked at, and stands where it stood. */
  rest(run: ActionRun, now: Instant): void {
    const { number, state, at } = stateOf(run)
    const before = this.#waiting.get(run.id)
    const mostJudged = now - at < AWAITED_MS ? 1000 : JUDGED_MS
    const most = state === 'approved' ? mostJudged : MOST_MS
    const restMs = before?.number === number ? Math.min(2 * before.restMs, most) : FIRST_MS
    this.#waiting.set(run.id, { number, since: now, restMs })
  }

  /** Forgets anyone who is not among these any more. */
  keepOnly(runs: readonly ActionRun[]): void {
    const open = new Set(runs.map(({ id }) => id))
    for (const id of this.#waiting.keys()) if (!open.has(id)) this.#waiting.delete(id)
  }
}
