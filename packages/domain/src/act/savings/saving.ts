import type { WorkloadId } from '../../cluster/workload.ts'
import type { GpuHours, Instant, Usd, Window } from '../../units.ts'
import type { Baseline, MeasuredHours, RunState } from '../action-run.ts'
import type { HourValue } from './day-spread.ts'
import type { WorkSign } from './same-work.ts'
import type { CountedWork } from './work-reader.ts'

/** A bill falls only when a node goes; else capacity is freed for other work. The two are never one sum. */
export const SAVING_EFFECTS = ['capacity-freed', 'bill-reduced'] as const
export type SavingEffect = (typeof SAVING_EFFECTS)[number]

/**
 * `applied`: done, and not measured for long enough yet. `verified`: as much as was estimated. `partly-verified`: something,
 * but less than was estimated, or not all hours were measured. `failed`: nothing that could not be chance.
 */
export const SAVING_STATES = [
  'estimated',
  'approved',
  'applied',
  'verified',
  'partly-verified',
  'failed',
  'reverted',
] as const
export type SavingState = (typeof SAVING_STATES)[number]

/** One run, with what was measured of what it changed. */
export type SavingQuestion = {
  readonly run: string
  readonly state: RunState
  readonly effect: SavingEffect
  /** As its recommendation says it; undefined where that gives no number. */
  readonly estimate: MonthlyEstimate | undefined
  /** Undefined until it was applied. Of two runs that claim one GPU-hour the one that was applied first has it. */
  readonly appliedAt: Instant | undefined
  /** All that its GPU-hours are of: `workload/…`, `node/…`, `gpu/…`. Runs that share one claim the same hours. */
  readonly touches: readonly string[]
  readonly baseline: Baseline | undefined
  readonly after: HoursAfter | undefined
}

type MonthlyEstimate = { readonly gpuHoursPerMonth: number; readonly usdPerMonth: number | undefined }

/** From the first whole hour after the change to now, to where it was taken back, or to where measuring ended. */
export type HoursAfter = MeasuredHours & {
  /**
   * For `bill-reduced`: which part of each hour the node was gone with no other in its place, 0 to 1; null where nobody
   * looked.
   */
  readonly goneByHour?: readonly (number | null)[]
  /** The same work under other names, and what the change moved. Absent: none was found, or nobody looked. */
  readonly elsewhere?: readonly HeldElsewhere[]
}

/** GPU-hours of work that is known again elsewhere. */
export type HeldElsewhere = {
  readonly workload: WorkloadId
  readonly sign: WorkSign
  /** In each hour since the change, as `heldByHour`. */
  readonly heldByHour: readonly (number | null)[]
  /** In each hour of the baseline. Absent: nothing. */
  readonly heldBefore?: readonly (number | null)[]
  /** Units of work, where these are counted and it did none before. */
  readonly doneByHour?: readonly (number | null)[]
}

/** What a run brought. */
export type RunSaving = {
  readonly run: string
  readonly effect: SavingEffect
  readonly state: SavingState
  /** Sentences for people: why it is in this state, and what is not saved as the same work costs it elsewhere. */
  readonly because: string
  readonly estimate: MonthlyEstimate | undefined
  /** Undefined where it cannot be told. It counts in no total until the state is `verified` or `partly-verified`. */
  readonly realized: Realized | undefined
}

export type Realized = {
  readonly window: Window
  /** `held`: what it held. `per-unit`: what it held for each unit of work. `gone`: what a node that is gone held. */
  readonly basis: 'held' | 'per-unit' | 'gone'
  /** For `per-unit`: what was done in the known hours, and how much of it a GPU-hour did before and since. */
  readonly work: RealizedWork | undefined
  /** What no earlier run has. */
  readonly gpuHours: Amount<GpuHours>
  /** Undefined without a price. */
  readonly usd: Amount<Usd> | undefined
  /** What the amounts are sums of: GPU-hours of each known hour. */
  readonly byHour: readonly HourValue[]
  /** Hours of the window that are in the amounts, and those of which nothing is known: these are in nothing. */
  readonly knownHours: number
  readonly unknownHours: number
}

export type RealizedWork = Pick<CountedWork, 'unit' | 'source'> & {
  readonly done: number
  readonly perGpuHour: {
    readonly before: number
    /** Undefined where it held nothing. */
    readonly after: number | undefined
  }
}

/** An amount and its 90 % interval; no interval where the baseline is too short to tell how it varies. */
export type Amount<Unit extends number> = {
  readonly value: Unit
  readonly range: { readonly low: Unit; readonly high: Unit } | undefined
}
