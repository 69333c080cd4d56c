import type { UsageRow } from '../../analyze/usage.ts'
import type { NodeCost } from '../../plan/recommend/recommend-context.ts'
import { recommendAlone } from '../../plan/recommend/recommend.ts'
import { learnFleetOverrun } from '../../plan/right-size/learn-overrun.ts'
import { HOUR_MS, gpuHours, type Instant, instant, SECONDS_PER_HOUR, usd } from '../../units.ts'
import { observed, weekOf } from './reclaim-rule.ts'
import { RecordedCluster } from './recorded-cluster.ts'
import { recordedSnapshot } from './recorded-snapshot.ts'
import { afterRemoval } from './remove-outcome.ts'
import { type Removed, WorkElsewhere } from './work-elsewhere.ts'
import type { ShadowRule, ShadowSources } from './shadow-rule.ts'
import { takenBy } from './taken-room.ts'

/**
 * Nodes whose work fits on the others. A node that is gone is no room, and what was recorded on it since takes room on the
 * nodes that are left.
 */
export function removeRule(sources: ShadowSources): ShadowRule {
  const { question, priceOf, began, recorded } = sources
  const cluster = new RecordedCluster(question.rows)
  const elsewhere = new WorkElsewhere(cluster, question.today)
  const costs = nodeCosts(cluster, sources)
  const removed: Removed[] = []
  const overrun = learnFleetOverrun([])
  return {
    warns: false,
    advise(now, memory) {
      const rows = withoutRemoved(cluster.endingAt(now), now)
      if (rows.length === 0) return []
      const snapshot = recordedSnapshot({ rows, now, since: began }, question)
      const waiting = question.today.pods.filter(
        ({ node, phase, createdAt }) => node === undefined && phase === 'Pending' && createdAt <= now,
      )
      const seen = { ...snapshot, pods: [...snapshot.pods, ...waiting] }
      return recommendAlone('remove-node', {
        snapshot: seen,
        ...weekOf(now, began),
        rows: [],
        prices: question.prices,
        analysis: { cost: { byNode: costs(now) }, observedSeconds: observed(now, began), workloads: [] },
        overrun,
        previous: snapshot.nodes.flatMap(({ name }) => memory.adviceBefore(`node/${name}`) ?? []),
        policy: question.rules,
      }).map(({ recommendation, needs }) => ({ advice: recommendation, needs, snapshot: seen, newest: rows }))
    },
    after(now, { advice }) {
      const node = advice.object.slice('node/'.length)
      const after = afterRemoval(now, node, { cluster, elsewhere, removed, recorded, to: question.window.to, priceOf })
      removed.push({ node, from: now, to: after.backAt ?? question.window.to })
      return after
    },
  }

  function withoutRemoved(rows: readonly UsageRow[], now: Instant): readonly UsageRow[] {
    const gone = removed.filter(({ from, to }) => from <= now && now <= to)
    if (gone.length === 0) return rows
    const names = new Set(gone.map(({ node }) => node))
    const { taken } = elsewhere.find(now, gone)
    return rows
      .filter(({ node }) => !names.has(node))
      .map((row) => {
        const work = row.kind === 'free' ? taken.get(row.partition) : undefined
        return work === undefined ? row : takenBy(row, work)
      })
  }
}

/** What each node was in the week before a moment: GPU-hours, and dollars of what has a price. */
function nodeCosts(
  cluster: RecordedCluster,
  { began, priceOf }: Pick<ShadowSources, 'began' | 'priceOf'>,
): (now: Instant) => readonly NodeCost[] {
  const ofHours = new Map<number, ReadonlyMap<string, Amounts>>()
  const ofHour = (end: Instant): ReadonlyMap<string, Amounts> => {
    const known = ofHours.get(end) ?? amountsByNode(cluster.endingAt(end), priceOf)
    ofHours.set(end, known)
    return known
  }
  return (now) => {
    const sums = new Map<string, Amounts>()
    for (let end: number = weekOf(now, began).window.from + HOUR_MS; end <= now; end += HOUR_MS) {
      for (const [node, amounts] of ofHour(instant(end))) sums.set(node, added(sums.get(node), amounts))
    }
    return [...sums].map(([key, { capacity, free, usd: money }]) => ({
      key,
      cost: {
        hours: { capacity: gpuHours(capacity), unallocated: gpuHours(free) },
        money: money === undefined ? undefined : { unallocated: usd(money) },
      },
    }))
  }
}

type Amounts = { readonly capacity: number; readonly free: number; readonly usd: number | undefined }

function amountsByNode(rows: readonly UsageRow[], priceOf: ShadowSources['priceOf']): ReadonlyMap<string, Amounts> {
  const sums = new Map<string, Amounts>()
  for (const row of rows) {
    const hours = (row.share * row.present) / SECONDS_PER_HOUR
    const free = row.kind === 'free' ? hours : 0
    const price = priceOf(row)
    const money = price.kind === 'known' ? free * price.price : undefined
    sums.set(row.node, added(sums.get(row.node), { capacity: hours, free, usd: money }))
  }
  return sums
}

const added = (a: Amounts | undefined, b: Amounts): Amounts =>
  a === undefined
    ? b
    : {
        capacity: a.capacity + b.capacity,
        free: a.free + b.free,
        usd: a.usd === undefined && b.usd === undefined ? undefined : (a.usd ?? 0) + (b.usd ?? 0),
      }
