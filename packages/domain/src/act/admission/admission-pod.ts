import type { GpuContainer, GpuRequest, WorkloadId } from '../../cluster/workload.ts'
import type { PodScheduling } from '../../cluster/scheduling.ts'

/** A pod that somebody asks the API server to create. */
export type AskingPod = {
  readonly namespace: string
  /** As it will be called, or how its name begins. */
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  /** Undefined: it has no such field, so a patch has to add it. */
  readonly annotations: Readonly<Record<string, string>> | undefined
  /** What it belongs to, from its own owner up, as far as names tell; a bare pod is its own. Never empty. */
  readonly owners: readonly [WorkloadId, ...WorkloadId[]]
  readonly requests: readonly GpuRequest[]
  readonly containers: readonly GpuContainer[]
  /** Whether it has claims for devices. */
  readonly claims: boolean
  /** Whether Kueue counts it, by what its owner's template asks for. */
  readonly queued: boolean
  readonly scheduling: PodScheduling
}
