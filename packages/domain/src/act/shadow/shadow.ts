import type { AnalysisPolicy } from '../../analyze/policy.ts'
import type { UsageRow } from '../../analyze/usage.ts'
import type { GpuNode } from '../../cluster/node.ts'
import type { Pod, WorkloadId } from '../../cluster/workload.ts'
import type { PriceBook } from '../../cost/price.ts'
import type { RecommendPolicy } from '../../plan/recommend/recommend-context.ts'
import type { Evidence, Recommendation } from '../../plan/recommend/recommendation.ts'
import type { GpuHours, Instant, Ratio, Usd, Window } from '../../units.ts'
import type { ActionClass } from '../action-run.ts'
import type { ActPolicy } from '../policy/act-policy.ts'

/** Recorded history, and by what it is replayed. */
export type ShadowQuestion = {
  readonly cluster: string
  /** Whole hours. Decisions are made at the end of each. */
  readonly window: Window
  /** Held rows of the workloads that are replayed, of hours or shorter, in any order. */
  readonly rows: readonly UsageRow[]
  /** Beginnings of all buckets of the window in which anything was recorded, of whatever workload. */
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

/** What Septet would have done by itself with idle work, had it been allowed to. */
export type ShadowMonth = {
  readonly class: 'reclaim-idle'
  /** What was recorded of the window that was asked for; undefined: nothing. */
  readonly recorded: Window | undefined
  /** First to last, and by workload where two are of one moment. */
  readonly actions: readonly ShadowAction[]
  /** Owners who would have been warned of work that was used again before it was stopped. */
  readonly withdrawn: number
  /** Idle work that would have been left alone, by the rule that says so; most workloads first. */
  readonly heldBack: readonly HeldBack[]
  readonly totals: ShadowTotals
}

export type HeldBack = {
  /** Code of the guardrail. */
  readonly code: string
  readonly workloads: number
  /** What it said the first time. */
  readonly because: string
}

/** One time that work would have been stopped. */
export type ShadowAction = {
  readonly workload: WorkloadId
  readonly title: string
  /** What was seen, and what to do. */
  readonly message: string
  readonly rule: Recommendation['rule']
  /** When its owner would have been warned, and when it would have been stopped. */
  readonly proposedAt: Instant
  readonly stoppedAt: Instant
  readonly pods: number
  /** Held, MIG devices and shared replicas by their share. */
  readonly gpus: number
  readonly nodes: readonly string[]
  readonly evidence: Evidence
  readonly confidence: Ratio
  readonly outcome: ShadowOutcome
  readonly freed: Freed
}

export const SHADOW_OUTCOMES = ['came-back-at-once', 'came-back-later', 'ended', 'still-idle', 'not-known'] as const

/**
 * What the record says came after. `came-back-at-once`: it worked again within an hour, so stopping it would have been
 * wrong. `not-known`: nobody measured what it did in the hour after, or that hour is not over. Instants are beginnings of
 * the bucket in which it was seen.
 */
export type ShadowOutcome = { readonly kind: (typeof SHADOW_OUTCOMES)[number]; readonly at: Instant }

/** GPU-hours that the work held and did not use from then on, until it worked again, ended, or the record ends. */
export type Freed = {
  readonly gpuHours: GpuHours
  /** At the prices of each hour; undefined where none of it has one. */
  readonly usd: Usd | undefined
  /** GPU-hours without a price: they are in `gpuHours` and not in `usd`. */
  readonly unpriced: GpuHours
  /** Hours in which it is not known whether it was used: they are in nothing. */
  readonly unknownHours: number
}

export type ShadowTotals = Freed & {
  readonly workloads: number
  readonly outcomes: Readonly<Record<ShadowOutcome['kind'], number>>
}

/** Classes that are carried out and not replayed, and why: what they would have to know is not recorded. */
export const NOT_REPLAYED = [
  {
    class: 'fewer-gpus',
    because:
      'Use fewer GPUs is not replayed: what each pod asked for, and how many replicas an autoscaler would have allowed, is not recorded.',
  },
  {
    class: 'right-size',
    because:
      'Right-size is not replayed: what each pod asked for, and where the slices of each GPU lay, is not recorded hour by hour.',
  },
  {
    class: 'repartition',
    because:
      'Repartition is not replayed: where the slices of each GPU lay, and which pods waited with which requests, is not recorded hour by hour.',
  },
  {
    class: 'remove-node',
    because:
      'Scale down is not replayed: what the pods of a node asked for beside GPUs, and where else they could have run, is not recorded.',
  },
] as const satisfies ReadonlyArray<{ readonly class: ActionClass; readonly because: string }>
