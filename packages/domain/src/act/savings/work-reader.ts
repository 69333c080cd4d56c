import type { WorkloadId } from '../../cluster/workload.ts'
import type { Instant, Window } from '../../units.ts'
import type { WorkSigns } from '../verify/work-setback.ts'

/**
 * What a workload did, hour by hour: the unit that its GPU-hours are divided by, so that slower work is not a saving.
 */
export type CountedWork = {
  /** In the plural: `generated tokens`, `requests`, `completions`. */
  readonly unit: string
  /** The metric that counts it. */
  readonly source: string
  /** Of each hour of the window, first to last; null where nothing was counted. */
  readonly byHour: readonly (number | null)[]
}

/** Counts work where an engine keeps its metrics. */
export type WorkReader = {
  /** Undefined: no unit of work is known for it. */
  work(query: WorkQuery): Promise<CountedWork | undefined>
  /**
   * What was counted in the seconds before an instant, beside the same of the days before. Throws where the engine does not
   * answer: what could not be asked must not look like what is not there.
   */
  signs(query: SignsQuery): Promise<WorkSigns>
}

export type SignsQuery = Pick<WorkQuery, 'workload' | 'pods'> & {
  /** Names of its pods that run now: of work that is stopped nothing has to be counted. */
  readonly running: readonly string[]
  readonly at: Instant
  readonly seconds: number
}

export type WorkQuery = {
  readonly workload: WorkloadId
  /** Names of the pods that it had in the window. */
  readonly pods: readonly string[]
  /** Whole hours of UTC. */
  readonly window: Window
  /** Only by this metric: what it was counted by before. */
  readonly source?: string
}
