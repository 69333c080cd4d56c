import type { Seconds } from '@septet/domain'

/** One batch job that runs on one instance at a time, at a speed that depends on the instance's profile. */
export type SliceJob = {
  readonly id: string
  readonly arrival: Seconds
  /** How long it would run alone on a whole GPU. A policy does not see this. */
  readonly work: Seconds
  /** Speed relative to the whole GPU, for each profile of the menu; 0 where its memory does not fit. */
  readonly speeds: readonly number[]
}

/** A job that cannot run at all, and why: it is reported, not waited for. */
export type RefusedJob = { readonly id: string; readonly because: string }
