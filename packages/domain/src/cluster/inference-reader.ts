import type { Window } from '../units.ts'
import type { PodId, ReservedCache } from './workload.ts'

/** Says what inference engines tell of themselves, where a metrics engine scrapes them. */
export type InferenceReader = {
  /** How full their caches have been, by pod; empty where no engine tells it. */
  caches(): Promise<ReadonlyMap<PodId, ReservedCache>>
  /** The tokens that they counted in a window. Throws where the metrics engine does not answer. */
  tokens(window: Window): Promise<TokenCounts>
}

export type TokenCounts = {
  readonly window: Window
  /** The window is read in so many steps of one length. */
  readonly steps: number
  readonly counts: readonly TokenCount[]
  /** Counters that there are and that the metrics engine would not add up: what they count is unknown. */
  readonly refused: readonly string[]
}

/** What one pod counted of one model. */
export type TokenCount = {
  /** Without a name where the scrape tells no pod: `ml/`. */
  readonly pod: PodId
  /** As the engine names it; empty where it does not. */
  readonly model: string
  /** As people call it: `vLLM`. */
  readonly engine: string
  /** Tokens read and written in the window; undefined where that counter has no samples. */
  readonly prompt: number | undefined
  readonly generation: number | undefined
  /** The steps of the window in which it was counting, the first of them 0. */
  readonly steps: readonly number[]
}
