import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Pod, PodId } from '../../cluster/workload.ts'

/** Why these pods may not be moved together, in words a person can act on; undefined when they may. */
export function whyNotMoved(snapshot: ClusterSnapshot, pods: readonly Pod[]): string | undefined {
  for (const pod of pods) {
    const because = whyFixed(pod)
    if (because !== undefined) return because
  }
  const moved = new Set<PodId>(pods.map(({ id }) => id))
  for (const { id, pods: covered, allowed } of snapshot.budgets) {
    const count = covered.filter((pod) => moved.has(pod)).length
    if (count > allowed) return `disruption budget ${id} allows ${allowed} evictions now, ${count} would be needed`
  }
  return undefined
}

function whyFixed({ id, scheduling }: Pod): string | undefined {
  if (!scheduling.managed) return `${id} has no controller, so nothing would make it again`
  if (!scheduling.evictable) return `${id} says that it must not be evicted`
  const unread = scheduling.unread ?? []
  return unread.length > 0 ? `where ${id} may run is known only in part (${unread.join(', ')})` : undefined
}
