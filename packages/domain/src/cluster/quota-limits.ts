import { WHOLE_GPU_RESOURCE } from '../gpu/whole-gpu.ts'
import type { QueueOwner, Quota } from './scheduling.ts'
import type { GpuRequest, Workload } from './workload.ts'

/** Whether the quota limits this workload. */
export const limits = (
  quota: Quota,
  { namespace, queue, queueOwner }: Pick<Workload, 'namespace' | 'queue' | 'queueOwner'>,
): boolean =>
  quota.queue === undefined
    ? quota.namespace === namespace
    : quota.queueOwner === queueOwner &&
      queue !== undefined &&
      (quota.queue === queue || quota.below?.includes(queue) === true)

/** What limits, as people call it: `the cluster queue team-a`. */
export const quotaName = ({ id, queue, queueOwner }: Pick<Quota, 'id' | 'queue' | 'queueOwner'>): string => {
  if (queue === undefined) return `the quota ${id}`
  return `the ${queueOwner === undefined ? 'cluster' : queueOwner} queue ${queue}`
}

/** What a queue counts for a request: KAI's count a share of a GPU as a part of one, and how large a part is not known. */
export const countedBy = (owner: QueueOwner, request: GpuRequest): GpuRequest =>
  owner === 'KAI' && request.resource === 'nvidia.com/gpu.shared'
    ? { resource: WHOLE_GPU_RESOURCE, count: A_PART }
    : request

/** Less than any share that can be asked for. */
const A_PART = 0.001

/** "2 are", "a part of one is". */
export const askedWords = (asked: number): string => (asked === A_PART ? 'a part of one is' : `${asked} are`)
