import type { GpuRequest } from '../../cluster/workload.ts'
import { shareOfResource } from '../../gpu/resource-share.ts'

/** What a pod asks for, in GPUs of this model; what is no MIG device of it counts as a whole one. */
export const requestedShare = (requests: readonly GpuRequest[], model: string): number =>
  requests.reduce((sum, { resource, count }) => sum + count * (shareOfResource(resource, model) ?? 1), 0)
