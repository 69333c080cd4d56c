import type { Quota } from './scheduling.ts'
import type { Workload } from './workload.ts'

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
