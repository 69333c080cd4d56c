import { onceFor } from '../../once-for.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Pod, PodId } from '../../cluster/workload.ts'

/** Why these pods may not be moved together, in words a person can act on; undefined when they may. */
export function whyNotMoved(snapshot: ClusterSnapshot, pods: readonly Pod[]): string | undefined {
  for (const pod of pods) {
    const because = whyFixed(pod)
    if (because !== undefined) return because
  }
  const covering = coveringOf(snapshot.budgets)
  const counts = new Map<number, number>()
  for (const id of new Set(pods.map((pod) => pod.id))) {
    for (const budget of covering.get(id) ?? []) counts.set(budget, (counts.get(budget) ?? 0) + 1)
  }
  for (const [index, count] of [...counts].toSorted(([a], [b]) => a - b)) {
    const budget = snapshot.budgets[index]
    if (budget === undefined || count <= budget.allowed) continue
    return `disruption budget ${budget.id} allows ${budget.allowed} evictions now, ${count} would be needed`
  }
  return undefined
}

function whyFixed({ id, scheduling }: Pod): string | undefined {
  if (!scheduling.managed) return `${id} has no controller to recreate it`
  if (!scheduling.evictable) return `${id} is marked as not evictable`
  const unread = scheduling.unread ?? []
  return unread.length > 0 ? `where ${id} may run is known only in part (${unread.join(', ')})` : undefined
}

/** Budgets of each pod, by their place in the snapshot: asked for every pod of a fleet, so it is made once. */
const coveringOf = onceFor((budgets: ClusterSnapshot['budgets']): ReadonlyMap<PodId, readonly number[]> => {
  const covering = new Map<PodId, number[]>()
  for (const [index, { pods }] of budgets.entries()) {
    for (const pod of pods) {
      const own = covering.get(pod)
      if (own === undefined) covering.set(pod, [index])
      else own.push(index)
    }
  }
  return covering
})
