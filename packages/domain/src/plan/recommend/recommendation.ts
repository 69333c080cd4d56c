import type { Price } from '../../cost/price-book.ts'
import type { PodId } from '../../cluster/workload.ts'
import type { Instant, Ratio, Usd, Window } from '../../units.ts'
import type { DurationEstimate, Plan } from '../words/action.ts'
import type { RecommendationKind } from '../words/action-class.ts'
import type { PlannedGpu } from '../steps/planned-gpus.ts'

/**
 * A change that would remove waste or start waiting work: its evidence, what it saves, what it risks, the exact change and
 * the way back. Never built on telemetry that cannot be trusted. The id names the object and the kind of change: it stays while
 * figures, sizes and places move.
 */
export type Recommendation = {
  readonly id: string
  readonly cluster: string
  readonly kind: RecommendationKind
  /** `workload/…`, `node/…`, `gpu/…`, `pool/…`. */
  readonly object: string
  /** An instruction in a few words: "Give ml/vllm-7 a 2g.20gb". */
  readonly title: string
  /** Two sentences: what was seen, what to do. */
  readonly message: string
  /** The rule that made it; the version grows when the rule changes its mind. */
  readonly rule: { readonly name: string; readonly version: number }
  readonly madeAt: Instant
  readonly evidence: Evidence
  readonly saving: Saving
  readonly risk: Risk
  /** The exact change, step by step, with the inverse of each. Without steps only its owner can do it: `refused` says why. */
  readonly plan: Plan
  /** GPUs that change, before and after its steps. Absent in what an older Septet has kept. */
  readonly gpus?: readonly PlannedGpu[]
  /**
   * Expected value of doing it, for the order: what it frees × confidence − risk, in dollars a month. A GPU without a price
   * counts at the mean of the others; where none has a price these are GPU-hours.
   */
  readonly rank: number
}

export type Evidence = {
  /** What was looked at, so that a person can ask the same: a query or an object. */
  readonly query: string
  readonly window: Window
  readonly samples: number
  /** Share of the window with trustworthy telemetry. */
  readonly coverage: Ratio
  /** Figures of the rule, by name, with units in the name. */
  readonly figures: Readonly<Record<string, string | number>>
}

/**
 * GPU-hours and money a month, or why no number can be defended. `room`: what work in use gives back for other work, whether
 * that idled before or not; it is never claimed as saved, and only whether a change is worth it is judged by it.
 */
export type Saving =
  | {
      readonly kind: 'estimated'
      readonly gpuHoursPerMonth: number
      readonly usdPerMonth: Usd | undefined
      readonly price: Price
      /** A bill falls only when a node goes; else capacity is freed for other work. */
      readonly effect: 'bill-reduced' | 'capacity-freed'
      readonly room?: Room
    }
  | {
      readonly kind: 'none'
      /** What it brings all the same, in a few words: "starts 4 pods". */
      readonly brings: string
      readonly because: string
      readonly room?: Room
    }

/** GPUs that others can use, in hours of a month, and what these cost; undefined where they have no price. */
type Room = { readonly gpuHoursPerMonth: number; readonly usdPerMonth: Usd | undefined }

export type Risk = {
  /** `mode-change`: MIG mode of a GPU changes, which may restart its node; never weighed against anything else. */
  readonly level: 'low' | 'medium' | 'high' | 'mode-change'
  readonly displaced: readonly PodId[]
  readonly duration: DurationEstimate
  /** Chance that the workload outgrows its new size; undefined where nothing shrinks. */
  readonly overrun: Ratio | undefined
  /** How sure the evidence is, 0 to 1. */
  readonly confidence: Ratio
}

/**
 * A person's no to a recommendation, with the reason. It holds for that kind of change to that object, whatever its
 * figures become, until it is taken back.
 */
export type Dismissal = {
  readonly cluster: string
  /** Id of the recommendation. */
  readonly id: string
  readonly reason: string
  readonly at: Instant
}
