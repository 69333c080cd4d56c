import type { CapacityNow } from '../analyze/capacity-now.ts'
import type { DataQuality } from '../analyze/data-quality.ts'
import type { Funnel } from '../analyze/funnel.ts'
import type { MigEfficiency } from '../analyze/mig-efficiency.ts'
import type { AnalysisPolicy } from '../analyze/policy.ts'
import type { QueueFigures } from '../analyze/queue.ts'
import type { ClassUsage, ModelTrend, TrendPoint } from '../analyze/trend.ts'
import type { Span } from '../analyze/usage.ts'
import type { Utilization } from '../analyze/utilization.ts'
import type { Problem } from '../cluster/node.ts'
import type { Instant, Seconds, Window } from '../units.ts'
import type { Finding } from './finding.ts'
import type { FleetCost } from './fleet-cost.ts'
import type { MonthlyPoint } from './months.ts'
import type { WorkloadUsage } from './workload-usage.ts'

/** Everything that the summary, the report and the dashboard say about one cluster over one window. */
export type ClusterAnalysis = {
  readonly cluster: string
  /** Whether it speaks of the whole cluster, or of what some namespaces hold and of nothing else. */
  readonly scope: 'cluster' | 'namespaces'
  /** What the figures over time are about. */
  readonly window: Window
  /** The length of rows that an edge of the window cuts, whose use is taken to be even; left out: all is exact. */
  readonly spread?: Exclude<Span, '5m'> | undefined
  /** First and last bucket that holds data, within `window`; undefined when there is none. "Partial" where it is shorter. */
  readonly observed: Window | undefined
  /** How long usage was seen within `observed`: what amounts per month are made from. */
  readonly observedSeconds: Seconds
  /** When the snapshot was taken: what the figures of the moment are about. */
  readonly asOf: Instant
  readonly policy: AnalysisPolicy
  readonly capacity: CapacityNow
  readonly utilization: Utilization
  readonly funnel: Funnel
  readonly mig: MigEfficiency
  readonly queue: QueueFigures
  readonly cost: FleetCost
  /** MIG nodes, by name. */
  /** Workloads of the snapshot and those that ended within the window; most GPU-hours first. */
  readonly workloads: readonly WorkloadUsage[]
  /** GPU-hours held by class of work, most first; shares are of the capacity. */
  readonly classes: readonly ClassUsage[]
  readonly trend: readonly TrendPoint[]
  /** The same for each GPU model, those with the most capacity first. */
  readonly trendByModel: readonly ModelTrend[]
  readonly months: readonly MonthlyPoint[]
  readonly quality: DataQuality
  /** Costliest first; those without an amount after them, by kind and object. */
  readonly findings: readonly Finding[]
  readonly problems: readonly Problem[]
}
