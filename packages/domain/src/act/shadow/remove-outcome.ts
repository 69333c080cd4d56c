import type { UsageRow } from '../../analyze/usage.ts'
import type { PriceOf } from '../../cost/prices-of.ts'
import { HOUR_MS, instant, type Instant } from '../../units.ts'
import type { RecordedCluster } from './recorded-cluster.ts'
import { outcomeAmounts, isRecorded } from './shadow-outcome.ts'
import type { After } from './shadow-rule.ts'
import type { ShadowOutcome } from './shadow.ts'
import type { Displaced, Removed, WorkElsewhere } from './work-elsewhere.ts'

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
export function afterRemoval(doneAt: Instant, node: string, told: Told): After {
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
