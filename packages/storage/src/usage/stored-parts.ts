import { instant, type Span, type StoredPart } from '@septet/domain'

import type { Database } from '../connection.ts'
import { partitionOf, TABLES } from './time-partition.ts'

type Part = { name: string; rows: number; bytes: string }

/**
 * The tables that hold one span, oldest first. Rows are as many as the planner's statistics say: counting a large fleet
 * would read gigabytes. A table that was not looked at yet is counted, for it is new and small.
 */
export async function storedParts(database: Database, span: Span): Promise<readonly StoredPart[]> {
  const found = await database.query<Part>(
    `select c.relname as name, c.reltuples::float8 as rows, pg_total_relation_size(c.oid)::text as bytes
     from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass order by 1`,
    [TABLES[span]],
  )
  const parts: StoredPart[] = []
  for (const { name, rows, bytes } of found) {
    const at = firstOf(name)
    if (at === undefined) continue
    const { from, to } = partitionOf(span, instant(at))
    const known = rows >= 0 ? Math.round(rows) : await counted(database, name)
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

async function counted(database: Database, table: string): Promise<number> {
  const [found] = await database.query<{ rows: number }>(`select count(*)::float8 as rows from ${table}`)
  return found?.rows ?? 0
}
