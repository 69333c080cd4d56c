import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { limits, quotaName } from '../../cluster/quota-limits.ts'
import type { Quota } from '../../cluster/scheduling.ts'
import type { Workload } from '../../cluster/workload.ts'
import { capitalized } from '../../words.ts'
import { cohortRoom, type CohortRoom, type Promises } from './cohort-room.ts'
import { queuePatch, type QueuePatch } from './queue-patch.ts'

/** A quota that keeps work from starting, whatever is free. */
export type LimitHint = {
  readonly kind: 'quota' | 'queue'
  readonly sentence: string
  /** The change of a manifest that lets it in, where GPUs are free for it. */
  readonly patch: QueuePatch | undefined
}

/** Quotas that leave less than the work asks for; also for work that Kueue holds back before it has pods. */
export function limitHints(snapshot: ClusterSnapshot, workload: Workload): readonly LimitHint[] {
  return tightQuotas(snapshot, workload).map(({ quota, asked, room }): LimitHint => {
    const left = quota.hard - quota.used
    const sentence = `${capitalized(quotaName(quota))} has ${Math.max(0, left)} of ${quota.hard} ${quota.resource} left${borrowWords(quota, room)}, and ${asked} are asked for: raise it, or wait until its other work ends.`
    const patch = queuePatch({ quota, asked, workload, room }, snapshot)
    return { kind: quota.queue === undefined ? 'quota' : 'queue', sentence, patch }
  })
}

/** Quotas of a workload's namespace or queue that leave less than it asks for, with how many it asks for. */
export const tightQuotas = (
  promises: Promises,
  workload: Pick<Workload, 'namespace' | 'queue' | 'queueOwner' | 'requests'>,
): readonly { readonly quota: Quota; readonly asked: number; readonly room: CohortRoom }[] =>
  promises.quotas.flatMap((quota) => {
    const asked = workload.requests.find(({ resource }) => resource === quota.resource)?.count ?? 0
    const room = asked > 0 && limits(quota, workload) ? cohortRoom(quota, promises) : undefined
    return room !== undefined && asked > room.available ? [{ quota, asked, room }] : []
  })

/** Of a queue in a cohort: what it might borrow. */
const borrowWords = ({ cohort, hard, used }: Quota, { available }: CohortRoom): string => {
  const borrowed = Math.max(0, available - Math.max(0, hard - used))
  return cohort === undefined ? '' : ` and may borrow ${borrowed} more from the cohort ${cohort}`
}
