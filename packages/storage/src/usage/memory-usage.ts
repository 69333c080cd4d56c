import {
  instant,
  SPAN_SECONDS,
  type Instant,
  type Span,
  type StoredPart,
  type UsageRow,
  type UsageStore,
} from '@septet/domain'

import { rollUpRows } from './roll-up-rows.ts'
import { rowKey, storableRows, storableText } from './storable.ts'
import { oldestKept, partitionOf } from './time-partition.ts'
import { staysOf } from './stays-of.ts'
import { isAsked, totalsOf } from './totals-of.ts'
import { LONGER } from './write-usage.ts'

type ClusterUsage = {
  /** Rows of one key: one, or several after a roll-up. */
  readonly rows: Record<Span, Map<string, readonly UsageRow[]>>
  readonly pending: Record<'1h' | '1d', Set<Instant>>
}

/** The twin of `postgresUsage`, in memory. */
export function memoryUsage(): UsageStore {
  const clusters = new Map<string, ClusterUsage>()
  const of = (name: string): ClusterUsage => {
    const key = storableText(name)
    const found = clusters.get(key) ?? emptyUsage()
    clusters.set(key, found)
    return found
  }
  const rowsOf = (cluster: string, span: Span) => [...of(cluster).rows[span].values()].flat()

  return {
    write: async (cluster, rows) => {
      const usage = of(cluster)
      for (const row of storableRows(rows)) {
        usage.rows[row.span].set(rowKey(row), [row])
        markPending(usage, row.span, row.at)
      }
    },
    rows: async (query) =>
      rowsOf(query.cluster, query.span)
        .filter((row) => row.at >= query.window.from && row.at < query.window.to && isAsked(row, query))
        .toSorted((a, b) => a.at - b.at),
    stays: async (query) => staysOf(rowsOf(query.cluster, query.span), query),
    totals: async (query) => totalsOf(rowsOf(query.cluster, query.span), query),
    coverage: async (cluster, span) => {
      const times = rowsOf(cluster, span).map((row) => row.at)
      if (times.length === 0) return undefined
      const [first, last] = [Math.min(...times), Math.max(...times)]
      return { from: instant(first), to: instant(last + SPAN_SECONDS[span] * 1000) }
    },
    rollUp: async (cluster, now) => {
      for (const source of ['5m', '1h'] as const) rollUpSpan(of(cluster), source, now)
    },
    prune: async (retention, now) => {
      const spans = ['5m', '1h', '1d'] as const
      const dropped = spans.map((span) =>
        dropBefore([...clusters.values()], span, oldestKept(span, retention[span], now)),
      )
      return dropped.reduce((sum, count) => sum + count, 0)
    },
    forget: async (cluster) => void clusters.delete(storableText(cluster)),
    stored: async () => ({
      '5m': partsOf([...clusters.values()], '5m'),
      '1h': partsOf([...clusters.values()], '1h'),
      '1d': partsOf([...clusters.values()], '1d'),
    }),
  }
}

const emptyUsage = (): ClusterUsage => ({
  rows: { '5m': new Map(), '1h': new Map(), '1d': new Map() },
  pending: { '1h': new Set(), '1d': new Set() },
})

function markPending(usage: ClusterUsage, span: Span, at: Instant): void {
  const longer = LONGER[span]
  if (longer === undefined) return
  const length = SPAN_SECONDS[longer] * 1000
  usage.pending[longer].add(instant(Math.floor(at / length) * length))
}

function rollUpSpan(usage: ClusterUsage, source: '5m' | '1h', now: Instant): void {
  const target = LONGER[source]
  const length = SPAN_SECONDS[target] * 1000
  for (const at of usage.pending[target]) {
    if (at + length > now) continue
    usage.pending[target].delete(at)
    const shorter = [...usage.rows[source].values()].flat().filter((row) => row.at >= at && row.at < at + length)
    const made = Map.groupBy(rollUpRows(shorter, target, at), rowKey)
    for (const [key, rows] of made) usage.rows[target].set(key, rows)
    markPending(usage, target, at)
  }
}

/** About what a row takes; the twin has no pages to count. */
const ROW_BYTES = 200

function partsOf(clusters: readonly ClusterUsage[], span: Span): StoredPart[] {
  const rows = clusters.flatMap((usage) => [...usage.rows[span].values()].flat())
  const byName = Map.groupBy(rows, ({ at }) => partitionOf(span, at).name)
  return [...byName.values()]
    .flatMap((some) => {
      const [first] = some
      if (first === undefined) return []
      const { from, to } = partitionOf(span, first.at)
      return [{ from, to, rows: some.length, bytes: some.length * ROW_BYTES }]
    })
    .toSorted((a, b) => a.from - b.from)
}

function dropBefore(clusters: readonly ClusterUsage[], span: Span, oldest: Instant): number {
  const dropped = new Set<string>()
  for (const { rows } of clusters) {
    for (const [key, [row]] of rows[span]) {
      if (row === undefined || row.at >= oldest) continue
      rows[span].delete(key)
      dropped.add(partitionOf(span, row.at).name)
    }
  }
  return dropped.size
}
