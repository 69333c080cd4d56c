import type { ActionRun, Baseline, RecordedWrite, RunState, StopOrder, Transition, WriteResult } from './action-run.ts'
import type { HoursAfter } from './savings/saving.ts'

/**
 * The lead of one cluster, by which a server watches it and acts on it: held by one at a time. The number grows with each
 * that takes it.
 */
export type Fence = { readonly cluster: string; readonly token: number }

type RunQuery = {
  readonly cluster?: string
  readonly states?: readonly RunState[]
  readonly limit: number
}

/** Runs and all that happened to them, in rows that are only added. */
export type ActionStore = {
  /** Adds a run with its first transition; false, and nothing is written, where one with its id is there. */
  propose(run: ActionRun): Promise<boolean>
  get(id: string): Promise<ActionRun | undefined>
  /** Newest first. */
  list(query: RunQuery): Promise<readonly ActionRun[]>
  /**
   * Adds a transition whose number is one above the last; the run as it is then. Undefined, and nothing is written, where
   * somebody else was first or the fence is no longer held. People need no fence.
   */
  advance(id: string, transition: Transition, fence?: Fence): Promise<ActionRun | undefined>
  /** Keeps what was measured before; a second one for the same run changes nothing. */
  keepBaseline(id: string, baseline: Baseline): Promise<void>
  baseline(id: string): Promise<Baseline | undefined>
  /** Keeps what was measured since it was applied, in place of what was kept of that before. Nothing without a baseline. */
  keepAfter(id: string, after: HoursAfter): Promise<void>
  /** What is kept of these runs; those without a baseline are left out. */
  measured(ids: readonly string[]): Promise<ReadonlyMap<string, Measured>>
  /**
   * Written before a write is sent. `stopped`: a stop order is in force. `fenced`: another process acts on this cluster
   * now. Neither writes anything.
   */
  intend(write: Omit<RecordedWrite, 'number' | 'outcome'>, fence: Fence): Promise<Intent>
  /** What came of it. */
  settle(run: string, number: number, result: WriteResult): Promise<void>
  /** Of a run, first to last, without what was only rehearsed. */
  writes(run: string): Promise<readonly RecordedWrite[]>
  /** What was rehearsed of it, first to last. */
  rehearsals(run: string): Promise<readonly RecordedWrite[]>

  /** Stops acting; a second order for the same clusters replaces the first. */
  stop(order: StopOrder): Promise<void>
  /** Lifts the order for exactly these clusters; false where there was none. */
  resume(cluster: string | undefined): Promise<boolean>
  /** Orders in force. */
  stops(): Promise<readonly StopOrder[]>
  /** Deletes everything of a cluster. */
  forget(cluster: string): Promise<void>
}

/** What was measured of a run's object before and after it; undefined: nothing yet. */
export type Measured = { readonly baseline: Baseline; readonly after: HoursAfter | undefined }

export type Intent =
  | { readonly kind: 'recorded'; readonly number: number }
  | { readonly kind: 'stopped'; readonly order: StopOrder }
  | { readonly kind: 'fenced' }
