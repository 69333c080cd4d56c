import type { Layout } from '@septet/domain'
import type { JobMenu } from './job-menu.ts'

/** What one GPU holds: its instances and, for each, the index of the job on it. */
export type GpuSlots = { readonly layout: Layout; readonly jobs: ReadonlyArray<number | undefined> }

/** What a policy may know when it decides: everything but how long jobs still take. */
export type JobView = {
  /** Seconds since the start. */
  readonly now: number
  readonly menu: JobMenu
  readonly gpus: readonly GpuSlots[]
  /** Jobs that hold no instance, by arrival. Some may have run before: `started` tells. */
  readonly waiting: readonly number[]
  /** Predicted speed for each profile of the menu, by job. */
  readonly speeds: ReadonlyArray<readonly number[]>
  /** Work done so far, in seconds on a whole GPU, by job. */
  readonly attained: Float64Array
  /** Jobs that have held an instance before: they resume from a checkpoint, which takes a pause. */
  readonly started: ReadonlySet<number>
  /** When a job that was moved goes on, by job. */
  readonly pausedUntil: Float64Array
  /** When a new instance can first be used, by GPU and first memory slice: `gpu × memory slices + start`. */
  readonly readyAt: Float64Array
  /** Work of the jobs that are done, in the order in which they ended. */
  readonly completed: readonly number[]
  /** Seconds that a move or a re-cut takes. */
  readonly pause: number
}

/** What a GPU shall hold from now on. A job that another GPU gives up must be absent from that GPU's own target. */
export type SlotTarget = GpuSlots & { readonly gpu: number }

/** Decides whenever jobs arrive or end. */
export type JobPolicy = {
  readonly name: string
  /** Layout of every GPU before the first job, cut free of charge. */
  start(gpus: number, menu: JobMenu): readonly Layout[]
  decide(view: JobView): readonly SlotTarget[]
}
