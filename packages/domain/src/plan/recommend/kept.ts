import type { WorkloadId } from '../../cluster/workload.ts'

/** Why nothing is proposed for a workload that idles, what weighs most first. */
export const KEPT_REASONS = [
  'guardrail',
  'other-change',
  'faulty-gpu',
  'kept-whole',
  'no-room',
  'needs-size',
  'works-in-between',
  'not-measured',
] as const
export type KeptReason = (typeof KEPT_REASONS)[number]

/** A rule's no to one workload, in a sentence that a person can check. */
export type Kept = {
  readonly kind: 'kept'
  readonly workload: WorkloadId
  readonly reason: KeptReason
  readonly because: string
}

export const kept = (workload: WorkloadId, reason: KeptReason, because: string): Kept => ({
  kind: 'kept',
  workload,
  reason,
  because,
})
