import { capacityNow } from '../analyze/capacity-now.ts'
import { dataQuality } from '../analyze/data-quality.ts'
import { funnelOf } from '../analyze/funnel.ts'
import { partsOfSnapshot } from '../analyze/gpu-parts.ts'
import { migEfficiency } from '../analyze/mig-efficiency.ts'
import { type AnalysisPolicy, DEFAULT_POLICY } from '../analyze/policy.ts'
import { queueFigures } from '../analyze/queue.ts'
import { rightSizing, type StudiedSize } from '../analyze/right-size.ts'
import type { JudgedSample } from '../analyze/sample.ts'
import { classUsage, observedSeconds, observedWindow, trendByModel, trendOf } from '../analyze/trend.ts'
import type { Span, UsageGroup, UsageTotal } from '../analyze/usage.ts'
import { utilizationOf } from '../analyze/utilization.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import { instant, type Seconds, type Window } from '../units.ts'
import type { ClusterAnalysis } from './cluster-analysis.ts'
import { costBy, costTotals } from './cost-parts.ts'
import { findingsOf } from './findings.ts'
import { fleetCost } from './fleet-cost.ts'
import { monthsOf, type MonthsRead } from './months.ts'
import { type PeriodTotals, pricedPeriods } from './priced-periods.ts'
import { pricesOf } from './prices-of.ts'
import type { PriceBook } from './price.ts'
import { workloadUsage } from './workload-usage.ts'

/** What the store is asked for: the groups that an analysis needs of each of its totals. */
export const ANALYSIS_GROUPS = {
  parts: ['kind', 'node', 'pool', 'model', 'machine', 'profile', 'namespace', 'workload', 'workloadClass', 'reason'],
  trend: ['at', 'kind', 'model'],
  months: ['at', 'kind', 'pool', 'model', 'machine'],
} as const satisfies Record<string, readonly UsageGroup[]>

/** Sums over usage rows, each grouped as `ANALYSIS_GROUPS` says. */
export type AnalysisTotals = {
  /** Of the window. */
  readonly parts: readonly UsageTotal[]
  /** The same cut where prices change, oldest first; left out where they do not. */
  readonly periods?: readonly PeriodTotals[] | undefined
  /** Of the window, by bucket. */
  readonly trend: readonly UsageTotal[]
  readonly trendSpan: Span
  /** Of as many months as the monthly figures shall reach back; left out where nobody asks for them. */
  readonly months?: MonthsRead | undefined
}

export type AnalysisSources = {
  readonly snapshot: ClusterSnapshot
  readonly totals: AnalysisTotals
  readonly prices: PriceBook
  readonly window: Window
  readonly policy?: AnalysisPolicy
  /** Sizes that recommendations have found; what is not among them is judged by its peaks. */
  readonly sizes?: readonly StudiedSize[] | undefined
  /** The newest reading, judged; without one nothing is said about the devices of this moment. */
  readonly samples?: readonly JudgedSample[] | undefined
  /** Within which times and for how long usage was seen, where the totals cannot tell because they are not of all. */
  readonly observed?: { readonly window: Window | undefined; readonly seconds: Seconds }
}

/** Everything that the summary, the report and the dashboard say about a cluster, from one snapshot and stored sums. */
export function analyzeCluster({
  snapshot,
  totals,
  prices,
  window,
  policy = DEFAULT_POLICY,
  samples,
  sizes = [],
  observed: seen,
}: AnalysisSources): ClusterAnalysis {
  const parts = partsOfSnapshot(snapshot)
  const sizing = rightSizing(totals.parts, snapshot, { policy: policy.rightSize, known: sizes })
  const { cluster, nodes, takenAt } = snapshot
  const whole = { from: instant(Math.max(window.from, window.to - 1)), totals: totals.parts }
  const periods = pricedPeriods(prices, { cluster, nodes }, totals.periods ?? [whole])
  const costed = periods.flatMap(({ totals: own, priceOf }) => costTotals(own, priceOf))
  const workloadCosts = costBy(costed, ({ key }) => (key.kind === 'held' ? (key.workload ?? '') : undefined))
  const trend = trendOf(totals.trend)
  const quality = dataQuality({ snapshot, parts, totals: totals.parts, samples })
  const capacity = capacityNow(snapshot, parts)
  const frame = { span: totals.trendSpan, window, gpus: capacity.gpus }
  const observed = seen?.seconds ?? observedSeconds(trend, frame)
  return {
    cluster,
    scope: 'cluster',
    window,
    observed: seen === undefined ? observedWindow(trend, frame) : seen.window,
    observedSeconds: observed,
    asOf: takenAt,
    policy,
    capacity,
    utilization: utilizationOf(totals.parts),
    funnel: funnelOf(totals.parts),
    mig: migEfficiency(snapshot, totals.parts),
    queue: queueFigures(snapshot),
    cost: fleetCost(costed, periods),
    workloads: workloadUsage({ snapshot, totals: totals.parts, workloadCosts, sizing }),
    classes: classUsage(totals.parts),
    trend,
    trendByModel: trendByModel(totals.trend, trend),
    months: monthsOf(totals.months, pricesOf(prices, { cluster, nodes, at: takenAt })),
    quality,
    findings: findingsOf({ snapshot, costed, workloadCosts, sizing, quality, policy, observed }),
    problems: [...snapshot.problems, ...snapshot.nodes.flatMap(({ problems }) => problems)],
  }
}
