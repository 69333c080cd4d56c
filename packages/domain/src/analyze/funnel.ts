import type { GpuHours } from '../units.ts'
import { type Figure, hoursOf, known, unknown } from './figure.ts'
import { sumByKind } from './usage-sum.ts'
import type { UsageTotal } from './usage.ts'
import { capacityOf, NO_CAPACITY, NO_SM_ACTIVITY, NOT_MEASURED } from './utilization.ts'

/** total ≥ allocated ≥ active ≥ effective, GPU-hours. */
export type Funnel = {
  /** Ready GPUs × time. */
  readonly total: Figure<GpuHours>
  /** Held by pods. */
  readonly allocated: Figure<GpuHours>
  /** Held, measured and not idle. */
  readonly active: Figure<GpuHours>
  /** SM activity × time, at most active. */
  readonly effective: Figure<GpuHours>
}

/**
 * Where capacity goes on its way to useful work (the steps are Datadog's). Total is ready GPUs × time; allocated is
 * held by pods; active is held, measured and not idle by the policy; effective is SM activity × time, at most active.
 * GPU-hours from totals that are grouped by kind. What was not measured is in neither of the last two; see `coverage`.
 */
export function funnelOf(totals: Iterable<UsageTotal>): Funnel {
  const usage = sumByKind(totals)
  const capacity = capacityOf(usage)
  const { held } = usage
  if (capacity <= 0) {
    const nothing = unknown<GpuHours>(NO_CAPACITY)
    return { total: nothing, allocated: nothing, active: nothing, effective: nothing }
  }
  const active = Math.max(0, held.measuredGpuSeconds - held.idleGpuSeconds)
  const measured = (part: number): number => (held.gpuSeconds > 0 ? part / held.gpuSeconds : 1)
  const step = (part: number, covered: number, because: string): Figure<GpuHours> =>
    held.gpuSeconds > 0 && covered <= 0 ? unknown(because) : known(hoursOf(part), measured(covered))
  return {
    total: known(hoursOf(capacity)),
    allocated: known(hoursOf(held.gpuSeconds)),
    active: step(active, held.measuredGpuSeconds, NOT_MEASURED),
    effective: step(Math.min(active, held.effectiveGpuSeconds), held.effectiveMeasuredGpuSeconds, NO_SM_ACTIVITY),
  }
}
