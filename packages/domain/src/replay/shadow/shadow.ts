import type { AnalysisPolicy } from '../../analyze/policy.ts'
import type { UsageRow } from '../../analyze/usage.ts'
import type { GpuNode } from '../../cluster/node.ts'
import type { Pod, WorkloadId } from '../../cluster/workload.ts'
import type { PriceBook } from '../../cost/price.ts'
import type { RecommendPolicy } from '../../plan/recommend/recommend-context.ts'
import type { Evidence, Recommendation } from '../../plan/recommend/recommendation.ts'
import type { Freed } from '../../plan/recommend/recorded-work.ts'
import type { Instant, Ratio, Window } from '../../units.ts'
import { ACTION_CLASSES, classRow, type ReplayedClass } from '../../plan/words/action-class.ts'
import type { ActPolicy } from '../../act/policy/act-policy.ts'

/** Recorded history, and by what it is replayed. */
export type ShadowQuestion = {
  readonly cluster: string
  /** What is taken to be on auto, and nothing else. */
  readonly class: ReplayedClass
  /** Whole hours. Decisions are made at the end of each. */
  readonly window: Window
  /** Since when rows are there, of which decisions know, too; from the beginning of the window where it is left out. */
  readonly since?: Instant
  /**
   * Rows of hours or shorter, in any order: of idle work what the workloads that are replayed held; of other classes all
   * that is stored of the GPUs that are looked at, also of what was free.
   */
  readonly rows: readonly UsageRow[]
  /** Workloads that are decided on, all of whose rows are there; others only hold what they hold. Left out: all. */
  readonly judged?: readonly WorkloadId[]
  /** Beginnings of all buckets up to its end in which anything was recorded, of whatever workload. */
  readonly recorded: readonly Instant[]
  /** What the cluster lets Septet do; the class that is replayed is taken to be on auto. */
  readonly policy: ActPolicy
  readonly rules: RecommendPolicy & { readonly analysis: AnalysisPolicy }
  readonly prices: PriceBook
  /** Of nodes and pods as they are today, what is not recorded: machines, for prices, and pods that must not be disrupted. */
  readonly today: { readonly nodes: readonly GpuNode[]; readonly pods: readonly Pod[] }
  /** Labels of workloads, also of ended ones, as far as they are remembered. */
  readonly labels: ReadonlyMap<WorkloadId, Readonly<Record<string, string>>>
}

/** What Septet would have done by itself, had it been allowed to. */
export type ShadowMonth = {
  readonly class: ReplayedClass
  /** What was recorded of the window that was asked for; undefined: nothing. */
  readonly recorded: Window | undefined
  /** First to last, and by rank where two are of one moment. */
  readonly actions: readonly ShadowAction[]
  /** Owners who would have been warned of work that was used again before it was stopped. */
  readonly withdrawn: number
  /** What would have been left alone, by the rule that says so; most objects first. */
  readonly heldBack: readonly HeldBack[]
  readonly totals: ShadowTotals
}

export type HeldBack = {
  /** Code of the guardrail. */
  readonly code: string
  /** Workloads, or nodes where nodes are removed. */
  readonly objects: number
  /** What it said the first time. */
  readonly because: string
}

/** One change that would have been made. */
export type ShadowAction = {
  /** `workload/…` or `node/…`. */
  readonly object: string
  readonly title: string
  /** What was seen, and what to do. */
  readonly message: string
  readonly rule: Recommendation['rule']
  /** When it would have been proposed, and its owner warned of a stop; and when it would have been done. */
  readonly proposedAt: Instant
  readonly doneAt: Instant
  /** Pods that would have been displaced. */
  readonly pods: number
  /** Held by the work, or on the node that goes; MIG devices and shared replicas by their share. */
  readonly gpus: number
  readonly nodes: readonly string[]
  readonly evidence: Evidence
  readonly confidence: Ratio
  readonly outcome: ShadowOutcome
  readonly freed: Freed
}

/**
 * What the record says came after. Instants are beginnings of the bucket in which it was seen, or where the record ends.
 * Wrong are these, and no others:
 * `came-back-at-once`: work that was stopped worked again within an hour;
 * `too-little-memory`: it later used more memory than it would have had left, which ends it;
 * `too-little-compute`: in a later bucket it was busier in the mean than what it would have had left;
 * `no-room`: work of a node that was removed would have found no place on the nodes that are left within an hour.
 */
const WRONG = ['came-back-at-once', 'too-little-memory', 'too-little-compute', 'no-room'] as const
export const SHADOW_OUTCOMES = [...WRONG, 'came-back-later', 'ended', 'still-idle', 'held-up', 'not-known'] as const
export type ShadowOutcome = { readonly kind: (typeof SHADOW_OUTCOMES)[number]; readonly at: Instant }

/** Whether the change would have been a mistake. */
export const isWrong = ({ kind }: Pick<ShadowOutcome, 'kind'>): boolean => WRONG.some((wrong) => wrong === kind)

export type ShadowTotals = Freed & {
  /** Workloads or nodes, each once. */
  readonly objects: number
  /** Changes that would have been mistakes. */
  readonly wrong: number
  readonly outcomes: Readonly<Record<ShadowOutcome['kind'], number>>
}

/** Classes that are carried out and not replayed, and why: what they would have to know is not recorded. */
export const NOT_REPLAYED = ACTION_CLASSES.flatMap((name) => {
  const { replay } = classRow(name)
  return replay !== undefined && 'because' in replay ? { class: name, because: replay.because } : []
})
