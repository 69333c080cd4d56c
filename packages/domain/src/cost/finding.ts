import type { Instant } from '../units.ts'

/** Waste or trouble with its evidence. The id stays the same while the same thing goes on. */
export type Finding = {
  readonly id: string
  readonly cluster: string
  /** `idle-held`, `stranded`, `oversized`, `unallocated`, `telemetry`, `fault`. */
  readonly kind: string
  readonly object: string
  readonly message: string
  readonly foundAt: Instant
  readonly gpuHours: number | undefined
  readonly costPerMonth: number | undefined
  readonly evidence: Readonly<Record<string, string | number>>
}
