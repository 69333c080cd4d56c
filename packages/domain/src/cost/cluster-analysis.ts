import type { Figure } from '../analyze/figure.ts'
import type { Funnel } from '../analyze/funnel.ts'
import type { MigEfficiency } from '../analyze/mig-efficiency.ts'
import type { QueueFigures } from '../analyze/queue.ts'
import type { Utilization } from '../analyze/utilization.ts'
import type { AnalysisPolicy } from '../analyze/policy.ts'
import type { QualityReason } from '../analyze/sample.ts'
import type { RightSize } from '../analyze/right-size.ts'
import type { Problem } from '../cluster/node.ts'
import type { GpuRequest, WorkloadClass } from '../cluster/workload.ts'
import type { GpuHours, Instant, Ratio, Usd, Window } from '../units.ts'
import type { CostParts } from './cost-parts.ts'
import type { Finding } from './finding.ts'
import type { Price } from './price-book.ts'

/** Everything that the summary, the report and the dashboard say about one cluster over one window. */
export type ClusterAnalysis = {
  readonly cluster: string
  /** What the figures over time are about. */
  readonly window: Window
  /** First and last bucket that holds data, within `window`; undefined when there is none. "Partial" where it is shorter. */
  readonly observed: Window | undefined
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
  readonly migNodes: readonly MigNodeStatus[]
  /** Workloads of the snapshot and those that ended within the window; most GPU-hours first. */
  readonly workloads: readonly WorkloadUsage[]
  /** GPU-hours held by class of work, most first; shares are of the capacity. */
  readonly classes: readonly ClassUsage[]
  readonly trend: readonly TrendPoint[]
  readonly months: readonly MonthlyPoint[]
  readonly quality: DataQuality
  /** Costliest first; those without an amount after them, by kind and object. */
  readonly findings: readonly Finding[]
  readonly problems: readonly Problem[]
}

/** Counts of the moment, from the snapshot. */
export type CapacityNow = {
  readonly nodes: number
  readonly readyNodes: number
  readonly gpus: number
  /** GPUs that can be used: node ready, and no fault that leaves the GPU unheld. */
  readonly readyGpus: number
  /** Sum of the shares that pods hold now, in GPUs. */
  readonly heldGpus: number
  readonly partitions: number
  readonly heldPartitions: number
  /** GPUs by model, most first. */
  readonly models: ReadonlyArray<{ readonly model: string; readonly gpus: number }>
}

/** Cost of the window: the whole and cut four ways. Each cut's capacities add up to the whole's, to the cent. */
export type FleetCost = {
  readonly fleet: CostParts
  /** The row with an empty key is what nobody held. */
  readonly byNamespace: readonly CostRow[]
  readonly byModel: readonly CostRow[]
  readonly byPool: readonly CostRow[]
  readonly byNode: readonly CostRow[]
  /** The price of each model and pool in use, and where it comes from. */
  readonly prices: readonly PriceInUse[]
}
export type CostRow = {
  readonly key: string
  readonly cost: CostParts
  readonly busyOfAllocated: Figure
}
export type PriceInUse = {
  readonly model: string
  readonly pool: string
  readonly price: Price
  /** GPU-hours of capacity that it was applied to. */
  readonly hours: GpuHours
}

export type MigNodeStatus = {
  readonly node: string
  readonly model: string
  /** MIG devices on the node. */
  readonly total: number
  readonly used: number
  readonly available: number
  /** GPUs of the node in MIG mode. */
  readonly migGpus: number
  /** Memory slices of those GPUs, and how many of them are in instances. */
  readonly slots: number
  readonly slotsUsed: number
  /** Busy share of the node's held MIG devices over the window. */
  readonly utilization: Figure
  readonly state: 'pending' | 'rebooting' | 'success' | 'failed' | undefined
}

export type WorkloadUsage = {
  readonly id: string
  readonly namespace: string
  readonly kind: string
  readonly name: string
  readonly class: WorkloadClass
  readonly status: 'running' | 'queued' | 'ended'
  readonly queue: string | undefined
  readonly requests: readonly GpuRequest[]
  /** Models it held within the window, by name. */
  readonly models: readonly string[]
  readonly createdAt: Instant | undefined
  readonly startedAt: Instant | undefined
  /** Why it waits, in the scheduler's words. */
  readonly waiting: string | undefined
  readonly hours: GpuHours
  readonly idleHours: GpuHours
  /** Undefined when none of its GPUs has a price. */
  readonly cost: Usd | undefined
  readonly busy: Figure
  readonly rightSize: RightSize
}

export type ClassUsage = { readonly class: WorkloadClass | 'idle'; readonly hours: GpuHours; readonly share: Ratio }

/** One bucket of the utilization trend. Undefined is a gap, not 0. */
export type TrendPoint = {
  readonly at: Instant
  readonly capacity: GpuHours
  readonly allocation: Ratio | undefined
  readonly busy: Ratio | undefined
  readonly busyOfAllocated: Ratio | undefined
  readonly effective: Ratio | undefined
  /** Share of allocated time that was measured; undefined when nothing was allocated. */
  readonly coverage: Ratio | undefined
}

/** One calendar month (UTC) of cost. Oversized is inside `used`: it is known per workload only. */
export type MonthlyPoint = {
  /** `2026-08`. */
  readonly month: string
  readonly cost: CostParts
  /** Share of the month's seconds, to its end or to now, that data covers. */
  readonly coverage: Ratio
}

/** How far the numbers can be trusted. */
export type DataQuality = {
  /** Measured share of the allocated GPU-hours of the window. */
  readonly coverage: Figure
  /** GPU-hours held without trustworthy telemetry, by reason; most first. */
  readonly unmeasured: ReadonlyArray<{ readonly reason: QualityReason; readonly hours: GpuHours }>
  /** Devices of the last reading by reason; absent without a reading. */
  readonly devices: readonly DeviceQuality[] | undefined
  /** Nodes, by name, that have GPUs and gave no sample in the last reading; absent without a reading. */
  readonly silentNodes: readonly string[] | undefined
  /** "3 of 40 nodes report no metrics." and its like; empty when all is well. */
  readonly sentences: readonly string[]
}
export type DeviceQuality = { readonly reason: QualityReason | 'measured'; readonly devices: number }
