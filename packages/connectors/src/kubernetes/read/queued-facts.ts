import type { GpuRequest, Instant, QueueOwner, Waiting } from '@septet/domain'
import type { OwnerReferenceSchema } from './schemas.ts'

/** What we keep of a Kueue Workload, or of a PodGroup of Volcano, that asks for GPUs and has not finished. */
export type QueuedFacts = {
  /** Absent: Kueue. */
  readonly queueOwner?: QueueOwner
  readonly namespace: string
  readonly name: string
  /** The job it queues for; a pod group has several owners. */
  readonly owner: OwnerReferenceSchema | undefined
  readonly ownerUids: readonly string[]
  readonly localQueue: string | undefined
  /** Where its quota was reserved, or Volcano's queue. */
  readonly clusterQueue: string | undefined
  readonly requests: readonly GpuRequest[]
  readonly createdAt: Instant
  /** Undefined once it is admitted. Its queue's own words. */
  readonly waiting: Waiting | undefined
}
