import type { GpuHours } from '../units.ts'
import { type Figure, hoursOf, known, ratioFigure, unknown } from './figure.ts'
import { sumByKind, type UsageSum } from './usage-sum.ts'
import type { UsageKind, UsageTotal } from './usage.ts'

/** Sums of the usage of one stretch of capacity, by kind. */
export type UsageByKind = Readonly<Record<UsageKind, UsageSum>>

/** Shares over the window. Each is a sum divided by a sum, never a mean of percentages. */
export type Utilization = {
  /** Allocated GPU-hours / capacity GPU-hours. */
  readonly allocation: Figure
  /** Busy GPU-hours / capacity GPU-hours; held time without telemetry is left out of both. */
  readonly busy: Figure
  /** Busy GPU-hours / measured allocated GPU-hours. */
  readonly busyOfAllocated: Figure
  /** Mean SM activity over the allocated time that exports it. */
  readonly effective: Figure
  /** Held and idle by the policy, GPU-hours. */
  readonly idleHeld: Figure<GpuHours>
  /** Held by nobody, in a usable shape, GPU-hours. */
  readonly unallocated: Figure<GpuHours>
  /** Held by nobody, in no usable shape, GPU-hours. */
  readonly stranded: Figure<GpuHours>
}

/** All shares of a window from totals that are grouped by kind (and by anything else). */
export function utilizationOf(totals: Iterable<UsageTotal>): Utilization {
  const usage = sumByKind(totals)
  return {
    allocation: allocation(usage),
    busy: busy(usage),
    busyOfAllocated: busyOfAllocated(usage.held),
    effective: effective(usage.held),
    idleHeld: idleHeld(usage),
    unallocated: ofCapacity(usage, usage.free.gpuSeconds),
    stranded: ofCapacity(usage, usage.stranded.gpuSeconds),
  }
}

/** Capacity, GPU-seconds: ready GPUs × time. GPUs that were down are outside, and so is what nobody saw. */
export const capacityOf = ({ held, free, stranded, unrequested }: UsageByKind): number =>
  held.gpuSeconds + free.gpuSeconds + stranded.gpuSeconds + unrequested.gpuSeconds

/** Allocation: allocated GPU-h / capacity GPU-h, 0 to 1 (Run:ai's allocation ratio). Needs no telemetry. */
export const allocation = (usage: UsageByKind): Figure =>
  ratioFigure(usage.held.gpuSeconds, capacityOf(usage), { because: NO_CAPACITY })

/**
 * Busy: busy GPU-h / capacity GPU-h, 0 to 1, a GPU-h weighted mean over capacity. A MIG GPU counts as
 * Σ share × busy of its instances. Time that nobody holds is not busy; held time that nobody measured is left out
 * of both sums, and lowers `coverage` instead.
 */
export function busy(usage: UsageByKind): Figure {
  const capacity = capacityOf(usage)
  const { gpuSeconds, measuredGpuSeconds, busyGpuSeconds } = usage.held
  if (capacity <= 0) return unknown(NO_CAPACITY)
  if (gpuSeconds > 0 && measuredGpuSeconds <= 0) return unknown(NOT_MEASURED)
  const judged = capacity - (gpuSeconds - measuredGpuSeconds)
  return ratioFigure(busyGpuSeconds, judged, { because: NOT_MEASURED, coverage: judged / capacity })
}

/** GPU time that was held, how much of it was measured, and how much busy. */
export type HeldTime = Pick<UsageSum, 'gpuSeconds' | 'measuredGpuSeconds' | 'busyGpuSeconds'>

/** Busy of allocated: busy GPU-h / measured allocated GPU-h, 0 to 1. Coverage is the measured share of the allocated. */
export function busyOfAllocated(held: HeldTime): Figure {
  if (held.gpuSeconds <= 0) return unknown(NOTHING_HELD)
  return ratioFigure(held.busyGpuSeconds, held.measuredGpuSeconds, {
    because: NOT_MEASURED,
    coverage: held.measuredGpuSeconds / held.gpuSeconds,
  })
}

/**
 * Effective: mean SM activity over the allocated time that exports it, 0 to 1. NVIDIA's DCGM documentation asks for
 * 0.8 for effective use and calls under 0.5 likely ineffective. It is off in dcgm-exporter's default list.
 */
export function effective(held: UsageSum): Figure {
  if (held.gpuSeconds <= 0) return unknown(NOTHING_HELD)
  return ratioFigure(held.effectiveGpuSeconds, held.effectiveMeasuredGpuSeconds, {
    because: NO_SM_ACTIVITY,
    coverage: held.effectiveMeasuredGpuSeconds / held.gpuSeconds,
  })
}

/** Idle-held: GPU-h held and idle by the policy. Unknown when nothing that is held was measured; 0 when nothing is held. */
function idleHeld({ held, ...others }: UsageByKind): Figure<GpuHours> {
  if (capacityOf({ held, ...others }) <= 0) return unknown(NO_CAPACITY)
  if (held.gpuSeconds <= 0) return known(hoursOf(0))
  if (held.measuredGpuSeconds <= 0) return unknown(NOT_MEASURED)
  return known(hoursOf(held.idleGpuSeconds), held.measuredGpuSeconds / held.gpuSeconds)
}

const ofCapacity = (usage: UsageByKind, gpuSeconds: number): Figure<GpuHours> =>
  capacityOf(usage) > 0 ? known(hoursOf(gpuSeconds)) : unknown(NO_CAPACITY)

export const NO_CAPACITY = 'No ready GPU was seen in this window.'
export const NOTHING_HELD = 'No pod held a GPU in this window.'
export const NOT_MEASURED = 'No GPU that pods held was measured in this window.'
export const NO_SM_ACTIVITY = 'The exporter does not export SM activity (DCGM_FI_PROF_SM_ACTIVE).'
