import type { UsageRow } from '../../analyze/usage.ts'
import type { NodeCost } from '../../plan/recommend/recommend-context.ts'
import { learnFleetOverrun } from '../../plan/right-size/learn-overrun.ts'
import { HOUR_MS, gpuHours, type Instant, instant } from '../../units.ts'
import { pastAdvice, weekBefore } from './past-advice.ts'
import { RecordedCluster } from './recorded-cluster.ts'
import { recordedSnapshot } from './recorded-snapshot.ts'
import { type Removed, WorkElsewhere, type Displaced } from './work-elsewhere.ts'
import type { ShadowRule, ShadowSources, After } from './shadow-rule.ts'
import { takenBy } from './taken-room.ts'
import type { PriceOf } from '../../cost/prices-of.ts'
import { onceFor } from '../../once-for.ts'
import { addedUp, outcomeAmounts, sum } from '../../plan/recommend/recorded-work.ts'
import { isRecorded } from '../../plan/recommend/stopped-work.ts'
import type { ShadowOutcome } from './shadow.ts'

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
      return pastAdvice('remove-node', sources, {
        now,
        snapshot: { ...snapshot, pods: [...snapshot.pods, ...waiting] },
        newest: rows,
        seen: [],
        byNode: costs(now),
        overrun,
        previous: snapshot.nodes.flatMap(({ name }) => memory.adviceBefore(`node/${name}`) ?? []),
      })
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

type Told = {
  readonly cluster: RecordedCluster
  readonly elsewhere: WorkElsewhere
  /** Nodes that went before, first to last. */
  readonly removed: readonly Removed[]
  /** Beginnings of buckets in which anything was recorded, in order. */
  readonly recorded: readonly Instant[]
  /** Where the record ends. */
  readonly to: Instant
  readonly priceOf: PriceOf
}

/**
 * What the record says of a node from the moment on at which it would have been removed. `no-room`: a pod that held GPUs on
 * it, then or later, would have found no such GPUs free on the nodes that are left in two buckets of an hour in a row, so
 * that it had waited for longer than an hour. The node is then taken to come back.
 */
function afterRemoval(doneAt: Instant, node: string, told: Told): After {
  const own: UsageRow[] = []
  let [waiting, known, unknownHours]: [readonly Displaced[], number, number] = [[], 0, 0]
  const over = (kind: ShadowOutcome['kind'], at: Instant, backAt: Instant | undefined): After => ({
    outcome: { kind, at },
    freed: { ...outcomeAmounts(own, told.priceOf), unknownHours },
    backAt,
  })
  for (let at: number = doneAt; at < told.to; at += HOUR_MS) {
    const end = instant(at + HOUR_MS)
    const rows = told.cluster.endingAt(end).filter((row) => row.node === node)
    if (rows.length === 0) {
      if (isRecorded(told.recorded, instant(at), end)) return over('ended', instant(at), instant(at))
      unknownHours += 1
      waiting = []
      continue
    }
    const still = waitingAt(end, node, { ...told, waiting })
    if (still.some(({ pod }) => waiting.some((before) => before.pod === pod))) {
      return over('no-room', instant(at), instant(at))
    }
    waiting = still
    known += 1
    own.push(...rows)
  }
  return over(known === 0 || waiting.length > 0 ? 'not-known' : 'held-up', told.to, undefined)
}

/** Who finds no room in a bucket: of the node's work, and of those who found none in the one before and run nowhere. */
function waitingAt(
  end: Instant,
  node: string,
  { elsewhere, removed, waiting }: Pick<Told, 'elsewhere' | 'removed'> & { readonly waiting: readonly Displaced[] },
): readonly Displaced[] {
  const gone = removed.filter(({ from, to }) => from <= end && end <= to)
  const others = new Set(gone.map((each) => each.node))
  const running = new Set(elsewhere.podsAt(end).map(({ pod }) => pod))
  const more = waiting.filter(({ pod }) => !running.has(pod))
  const mine = new Set([
    ...more.map(({ pod }) => pod),
    ...elsewhere.podsAt(end).flatMap(({ pod, on }) => (on === node ? pod : [])),
  ])
  return elsewhere.find(end, [...gone, { node }], more).left.filter(({ pod, on }) => mine.has(pod) && !others.has(on))
}
