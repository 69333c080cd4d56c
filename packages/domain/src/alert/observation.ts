import type { ClusterAnalysis } from '../cost/cluster-analysis.ts'
import type { TenantRule } from '../cost/tenant.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import type { PartitionId, Problem } from '../cluster/node.ts'
import type { JudgedSample, TargetState } from '../analyze/sample.ts'
import type { Instant, Usd } from '../units.ts'
import type { Alert, AlertFigure, AlertKind } from './alert.ts'
import type { AlertRules } from './alert-rule.ts'

/** What one budget has come to. */
export type BudgetReading = {
  readonly id: string
  readonly name: string
  /** Undefined where no price is known. */
  readonly spent: Usd | undefined
  readonly limit: Usd
  /** At which shares of it somebody wants to know, percent; empty: at the rule's. */
  readonly thresholds: readonly number[]
  /** The one namespace that it is for, if any. */
  readonly namespace: string | undefined
  readonly tenant: string | undefined
}

/** What is known of one cluster at one moment, as alerts need it. */
export type AlertEvidence = {
  readonly cluster: string
  /** As people call it. */
  readonly clusterName: string
  readonly now: Instant
  readonly connected: boolean
  /** When telemetry or inventory was last read. */
  readonly asOf: Instant | undefined
  /** Where its pods are not known, no work is known to ask for a GPU model. */
  readonly picture:
    | (Pick<ClusterSnapshot, 'nodes' | 'allocations' | 'workloads'> & Partial<Pick<ClusterSnapshot, 'pods'>>)
    | undefined
  readonly samples: ReadonlyMap<PartitionId, JudgedSample>
  readonly targets: readonly TargetState[]
  readonly problems: readonly Problem[]
  /** Partitions that are idle-held now. */
  readonly idle: ReadonlySet<PartitionId>
  /** The last 24 hours and the last 7 days; undefined where they are not known yet. */
  readonly day: ClusterAnalysis | undefined
  readonly week: ClusterAnalysis | undefined
  /** Undefined where budgets could not be read. */
  readonly budgets: readonly BudgetReading[] | undefined
  readonly tenants: readonly TenantRule[]
  readonly rules: AlertRules
}

/** What alerts are judged by beside what is known of the cluster itself. */
export type AlertQuestion = Pick<AlertEvidence, 'clusterName' | 'now' | 'budgets' | 'tenants' | 'rules'> & {
  /** What the turn before left: `AlertStore.current`. */
  readonly current: readonly Alert[]
}

/**
 * What was seen of one object. `between` is neither bad enough to fire nor good enough to say that it is over; `unknown`
 * changes nothing: what is not known is never taken for 0.
 */
export type Observation = {
  readonly kind: AlertKind
  readonly object: string
  readonly namespace: string | undefined
  readonly tenant: string | undefined
  readonly verdict: 'breach' | 'between' | 'clear' | 'unknown'
  readonly figure: AlertFigure
  readonly title: string
  readonly message: string
  readonly advice: string
}

/** All that was seen of one kind. `complete`: an object that is not among these is gone. */
export type Observed = { readonly observations: readonly Observation[]; readonly complete: boolean }
export const NOTHING_SEEN: Observed = { observations: [], complete: false }

/** After so long without a reading nothing is said about what is running now, milliseconds. */
const STALE_MS = 5 * 60_000

/** Whether the cluster answers and was read lately. */
export const isFreshObservation = ({ connected, asOf, now }: AlertEvidence): boolean =>
  connected && asOf !== undefined && now - asOf < STALE_MS

/** How far back from the threshold a value must be to be well again. */
const BAND = 0.1

/** A value that must not rise to its threshold. */
export const judgeCeiling = (value: number, threshold: number): 'breach' | 'between' | 'clear' =>
  value >= threshold ? 'breach' : value > threshold * (1 - BAND) ? 'between' : 'clear'

/** A value that must not fall under its threshold. */
export const judgeFloor = (value: number, threshold: number): 'breach' | 'between' | 'clear' =>
  value < threshold ? 'breach' : value < threshold * (1 + BAND) ? 'between' : 'clear'

/** One decimal where it tells something. */
export const rounded = (value: number): string => String(Math.round(value * 10) / 10)
