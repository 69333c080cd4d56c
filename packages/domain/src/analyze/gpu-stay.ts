import type { Instant, Ratio, Seconds } from '../units.ts'
import type { Peaks } from './field-values.ts'

/**
 * One pod's time on partitions of one kind, put together from usage rows: when it was first and last seen to hold them, to
 * a bucket, and what was measured meanwhile.
 */
export type GpuStay = Peaks & {
  readonly pod: string
  readonly namespace: string
  readonly workload: string
  readonly model: string
  /** Empty for whole GPUs and shared replicas. */
  readonly profile: string
  /** Which part of a GPU one of its devices is. */
  readonly share: Ratio
  /** How many such devices it held. */
  readonly devices: number
  readonly from: Instant
  readonly to: Instant
  /** Σ share × measured, and the same × busy. */
  readonly measuredGpuSeconds: number
  readonly busyGpuSeconds: number
  /** Time with a trustworthy busy value, of all its devices together. */
  readonly measuredSeconds: Seconds
}
