import { instant, SPAN_SECONDS, type Span, type UsageStore, type Window, type StoredPart } from '@septet/domain'
import type { Database } from '../connection.ts'
import { makePartitions } from './partitions.ts'
import { rollUp } from './roll-up-sql.ts'
import { storableText } from './storable.ts'
import { readStays } from './stays-sql.ts'
import { TABLES, partitionOf, type Kept } from './time-partition.ts'
import { totalsSql } from './totals-sql.ts'
import { readRows } from './usage-row-sql.ts'
import { makeWords } from './words.ts'
import type { UsageParts } from './usage-parts.ts'
import { writeUsage } from './write-usage.ts'

/** Usage rows in PostgreSQL. */
export function postgresUsage(database: Database): UsageStore {
  const parts: UsageParts = { database, words: makeWords(database.query), partitions: makePartitions(database) }
  return {
    write: (cluster, rows, worked) => writeUsage(parts, cluster, { rows, worked }),
    rows: (query) => readRows(parts, query),
    stays: (query) => readStays(parts, query),
    totals: (query) => totalsSql(parts, query),
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
  const edges = [`select min(at) as first, max(at) as last from ${TABLES[span]} where cluster = $1`]
  if (span === '5m') edges.push(`select min(first), max(last) from ${TABLES.packed} where cluster = $1`)
  const [found] = await parts.database.query<{ first: number | null; last: number | null }>(
    `select (extract(epoch from min(first)) * 1000)::float8 as first,
       (extract(epoch from max(last)) * 1000)::float8 as last
     from (${edges.join(' union all ')}) as edges`,
    [id ?? 0],
  )
  if (found === undefined || found.first === null || found.last === null) return undefined
  return { from: instant(found.first), to: instant(found.last + SPAN_SECONDS[span] * 1000) }
}

async function forget(parts: UsageParts, cluster: string): Promise<void> {
  const id = await parts.words.find(storableText(cluster))
  if (id === undefined) return
  // Pending roll-ups go first: nothing may be made again of rows that are on their way out.
  for (const table of ['usage_pending', ...Object.values(TABLES)]) {
    await parts.database.query(`delete from ${table} where cluster = $1`, [id])
  }
}

type Part = { name: string; rows: number; bytes: string }

/** What is stored of one span, oldest first; five-minute rows whether they are packed or not. */
async function storedParts(database: Database, span: Span): Promise<readonly StoredPart[]> {
  const tables = await storedTables(database, span)
  if (span !== '5m') return tables
  const all = Map.groupBy([...(await storedTables(database, 'packed')), ...tables], ({ from }) => from)
  return [...all.values()]
    .map((parts) =>
      parts.reduce((one, { rows, bytes }) => ({ ...one, rows: one.rows + rows, bytes: one.bytes + bytes })),
    )
    .toSorted((a, b) => a.from - b.from)
}

/**
 * The tables that hold one kind of rows, oldest first. Rows are as many as the planner's statistics say: counting a large
 * fleet would read gigabytes. A table that was not looked at yet is counted, for it is new and small.
 */
async function storedTables(database: Database, kept: Kept): Promise<readonly StoredPart[]> {
  const found = await database.query<Part>(
    `select c.relname as name, c.reltuples::float8 as rows, pg_total_relation_size(c.oid)::text as bytes
     from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass order by 1`,
    [TABLES[kept]],
  )
  const parts: StoredPart[] = []
  for (const { name, rows, bytes } of found) {
    const at = firstOf(name)
    if (at === undefined) continue
    const { from, to } = partitionOf(kept, instant(at))
    const isKnown = kept !== 'packed' && rows >= 0
    const known = isKnown ? Math.round(rows) : await counted(database, name, kept)
    if (known > 0) parts.push({ from, to, rows: known, bytes: Number(bytes) })
  }
  return parts
}

/** The day that a table's name ends in. */
function firstOf(name: string): number | undefined {
  const [, year, month, day] = /_(\d{4})(\d{2})(\d{2})$/u.exec(name) ?? []
  if (year === undefined || month === undefined || day === undefined) return undefined
  return Date.UTC(Number(year), Number(month) - 1, Number(day))
}

async function counted(database: Database, table: string, kept: Kept): Promise<number> {
  const count = kept === 'packed' ? 'sum(rows)' : 'count(*)'
  const [found] = await database.query<{ rows: number | null }>(`select ${count}::float8 as rows from ${table}`)
  return found?.rows ?? 0
}
