import { type Instant, type Ratio, ratio, type Seconds, seconds } from '../units.ts'

/** When held GPU time counts as idle. Shown beside every idle number. */
export type IdlePolicy = {
  /** Busy at or under this is idle, 0 to 1. */
  readonly threshold: Ratio
  /** How long in a row, seconds. */
  readonly minimum: Seconds
  /** Since when it is so: what was judged before then went by another one. Undefined: it was never changed. */
  readonly since?: Instant
}

/** When a workload counts as oversized. */
export type RightSizePolicy = {
  /** Kept free above the peak of memory, as a share of that peak. */
  readonly memoryMargin: Ratio
  /** Busy that the smaller profile may reach at the workload's peak, 0 to 1. */
  readonly targetUtilization: Ratio
  /** Measured history that is needed before anything is said, seconds. */
  readonly minimumHistory: Seconds
}

export type AnalysisPolicy = {
  readonly idle: IdlePolicy
  readonly rightSize: RightSizePolicy
  /** Share of ready GPU time that the fleet aims to keep busy. */
  readonly utilizationTarget: Ratio
}

/**
 * Idle: busy at most 5 % for at least 30 minutes in a row. Right size: 10 % of memory kept free, 65 % busy at
 * the peak (Kubecost's figure for production clusters), 24 hours of measured history. Target: 85 %, the specification's.
 */
export const DEFAULT_POLICY: AnalysisPolicy = {
  idle: { threshold: ratio(0.05), minimum: seconds(1800) },
  rightSize: { memoryMargin: ratio(0.1), targetUtilization: ratio(0.65), minimumHistory: seconds(86_400) },
  utilizationTarget: ratio(0.85),
}
