import type { GpuHours, Usd } from '../units.ts'

/**
 * What a stretch of capacity was spent on. The five parts never overlap:
 * used + idleHeld + unallocated + stranded + oversized = capacity.
 */
export type Parts<Unit extends number> = {
  /** Held and working, or held without trustworthy telemetry. */
  readonly used: Unit
  /** The part *of* `used` that nobody measured. Not to be added to the others. */
  readonly unmeasured: Unit
  /** Held, and busy at most the idle threshold for the policy's minimum stretch. */
  readonly idleHeld: Unit
  /** Held by nobody, in a shape that a workload could use. */
  readonly unallocated: Unit
  /** Held by nobody, in a shape that no MIG profile can use. */
  readonly stranded: Unit
  /** Held and working, beyond the smallest profile that would fit the workload's peak. Only where measured. */
  readonly oversized: Unit
  /** Ready GPUs × time. GPUs that were not ready are not in it. */
  readonly capacity: Unit
}

/** Where capacity went, in GPU-hours and in money. */
export type CostParts = {
  readonly hours: Parts<GpuHours>
  /** Rounded to the cent so that the parts add up to `capacity`. Undefined when no GPU of the group has a price. */
  readonly money: Parts<Usd> | undefined
  /** GPU-hours of capacity without a price. `money` leaves them out: an unknown price is not $0. */
  readonly unpriced: GpuHours
  /** GPU-hours of GPUs that were not ready: outside capacity. */
  readonly down: GpuHours
}
