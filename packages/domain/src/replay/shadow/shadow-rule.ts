import type { JudgedSample } from '../../analyze/sample.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { PriceOf } from '../../cost/prices-of.ts'
import type { Recommendation } from '../../plan/recommend/recommendation.ts'
import type { Instant, Window } from '../../units.ts'
import type { Freed } from '../../plan/recommend/recorded-work.ts'
import type { ShadowOutcome, ShadowQuestion } from './shadow.ts'

/** What a rule would have recommended at one moment, and the cluster as far as it looked at it. */
export type Advised = {
  readonly advice: Recommendation
  /** `node/…`, `partition/…`: what else has to stay as it is. */
  readonly needs: readonly string[]
  readonly snapshot: ClusterSnapshot
  readonly samples: readonly JudgedSample[]
}

/** What came after a change, and what it had freed until then; of what is not over, as far as the replay has come. */
export type After = {
  readonly outcome: ShadowOutcome
  readonly freed: Freed
  /** When all would have been as recorded again; undefined: not within the record. */
  readonly backAt: Instant | undefined
}

/** What a replay has done so far. */
export type ShadowMemory = {
  /** Whether what it is about is changed at this moment. */
  isChanged(object: string, now: Instant): boolean
  /** When it was changed, until it would have been as recorded again. */
  stretchesOf(object: string): readonly Window[]
  /** What was recommended an hour before. */
  adviceBefore(object: string): Recommendation | undefined
}

/** One class of action, as it is replayed. */
export type ShadowRule = {
  /** What it would have recommended, best first, from rows that had ended by then and from nothing later. */
  advise(now: Instant, memory: ShadowMemory): readonly Advised[]
  /** What the record says came after it was done. Called once for each change, in their order; decisions see only what is back. */
  after(now: Instant, advised: Advised): After
}

/** What every rule is made from. */
export type ShadowSources = {
  readonly question: ShadowQuestion
  readonly priceOf: PriceOf
  /** Beginnings of buckets in which anything was recorded, in order. */
  readonly recorded: readonly Instant[]
  /** Since when anything is known, in whole hours. */
  readonly began: Instant
}
