import { instant, SPAN_SECONDS, type Span, type UsageStore, type Window } from '@septet/domain'

import type { Database } from '../connection.ts'
import { makePartitions } from './partitions.ts'
import { rollUp } from './roll-up-sql.ts'
import { storableText } from './storable.ts'
import { storedParts } from './stored-parts.ts'
import { readStays } from './stays-sql.ts'
import { TABLES } from './time-partition.ts'
import { readTotals } from './totals-sql.ts'
import { readRows } from './usage-row-sql.ts'
import { makeWords } from './words.ts'
import { writeUsage, type UsageParts } from './write-usage.ts'

/** Usage rows in PostgreSQL. */
export function postgresUsage(database: Database): UsageStore {
  const parts: UsageParts = { database, words: makeWords(database.query), partitions: makePartitions(database) }
  return {
    write: (cluster, rows, worked) => writeUsage(parts, cluster, { rows, worked }),
    rows: (query) => readRows(parts, query),
    stays: (query) => readStays(parts, query),
    totals: (query) => readTotals(parts, query),
    coverage: (cluster, span) => readCoverage(parts, cluster, span),
    rollUp: (cluster, now) => rollUp(parts, cluster, now),
    prune: (retention, now) => parts.partitions.prune(retention, now),
    forget: (cluster) => forget(parts, cluster),
    stored: async () => ({
      '5m': await storedParts(database, '5m'),
      '1h': await storedParts(database, '1h'),
      '1d': await storedParts(database, '1d'),
    }),
  }
}

async function readCoverage(parts: UsageParts, cluster: string, span: Span): Promise<Window | undefined> {
  const id = await parts.words.find(storableText(cluster))
  const [found] = await parts.database.query<{ first: number | null; last: number | null }>(
    `select (extract(epoch from min(at)) * 1000)::float8 as first, (extract(epoch from max(at)) * 1000)::float8 as last
     from ${TABLES[span]} where cluster = $1`,
    [id ?? 0],
  )
  if (found === undefined || found.first === null || found.last === null) return undefined
  return { from: instant(found.first), to: instant(found.last + SPAN_SECONDS[span] * 1000) }
}

async function forget(parts: UsageParts, cluster: string): Promise<void> {
  const id = await parts.words.find(storableText(cluster))
  if (id === undefined) return
  // Pending roll-ups go first: nothing may be made anew of rows that are on their way out.
  for (const table of ['usage_pending', ...Object.values(TABLES)]) {
    await parts.database.query(`delete from ${table} where cluster = $1`, [id])
  }
}
