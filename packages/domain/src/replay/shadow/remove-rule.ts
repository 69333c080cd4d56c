import type { UsageRow } from '../../analyze/usage.ts'
import type { NodeCost } from '../../plan/recommend/recommend-context.ts'
import { HOUR_MS, gpuHours, type Instant, instant } from '../../units.ts'
import { pastAdvice, weekBefore } from './past-advice.ts'
import { RecordedCluster } from './recorded-snapshot.ts'
import { RemovedNodes } from './removed-nodes.ts'
import type { ShadowRule, ShadowSources } from './shadow-rule.ts'
import { onceFor } from '../../once-for.ts'
import { addedUp, outcomeAmounts, sum } from '../../plan/recommend/recorded-work.ts'

/**
 * Nodes whose work fits on the others. A node that is gone is no room, and what was recorded on it since takes room on the
 * nodes that are left.
 */
export function removeRule(sources: ShadowSources): ShadowRule {
  const { question, began } = sources
  const cluster = new RecordedCluster(question.rows)
  const costs = nodeCosts(cluster, sources)
  const removed = new RemovedNodes(sources)
  return {
    advise(now, memory) {
      const rows = removed.take(cluster.endingAt(now), now)
      if (rows.length === 0) return []
      const waiting = question.today.pods.filter(
        ({ node, phase, createdAt }) => node === undefined && phase === 'Pending' && createdAt <= now,
      )
      return pastAdvice(sources, {
        now,
        rows,
        since: began,
        waiting,
        byNode: costs(now),
        previous: [...new Set(rows.map(({ node }) => node))].flatMap(
          (node) => memory.adviceBefore(`node/${node}`) ?? [],
        ),
      })
    },
    after: (_now, { advice }) => removed.remove(advice.object.slice('node/'.length)),
  }
}

/** What each node was in the week before a moment: GPU-hours, and dollars of what has a price. */
function nodeCosts(
  cluster: RecordedCluster,
  { began, priceOf }: Pick<ShadowSources, 'began' | 'priceOf'>,
): (now: Instant) => readonly NodeCost[] {
  const ofHour = onceFor((rows: readonly UsageRow[]) =>
    [...Map.groupBy(rows, ({ node }) => node)].map(([key, own]) => ({
      key,
      capacity: outcomeAmounts(own, priceOf).gpuHours,
      free: outcomeAmounts(own, priceOf, ({ kind }) => Number(kind === 'free')),
    })),
  )
  return (now) => {
    const { from } = weekBefore(now, began)
    const hours = Array.from({ length: (now - from) / HOUR_MS }, (_, hour) => instant(from + (hour + 1) * HOUR_MS))
    const byNode = Map.groupBy(
      hours.flatMap((end) => ofHour(cluster.endingAt(end))),
      ({ key }) => key,
    )
    return [...byNode].map(([key, own]) => {
      const free = addedUp(own.map((each) => each.free))
      const capacity = gpuHours(sum(own, (each) => each.capacity))
      const money = free.usd === undefined ? undefined : { unallocated: free.usd }
      return { key, cost: { hours: { capacity, unallocated: free.gpuHours }, money } }
    })
  }
}
