import { HOUR_MS, instant, type Instant, type Retention } from '@septet/domain'

import type { Database, Query } from '../connection.ts'
import { errorCode } from '../store-error.ts'
import { oldestKept, partitionOf, TABLES, type Kept, type TimePartition } from './time-partition.ts'

/** Makes and drops the tables that hold a stretch of time each. */
export type Partitions = {
  /** Makes what is missing for these buckets, before the transaction that writes them. */
  ensure(kept: Kept, at: Iterable<Instant>): Promise<void>
  /** Drops every partition wholly older than retention says; tells how many. */
  prune(retention: Retention, now: Instant): Promise<number>
  forget(): void
}

/** Does what needs partitions; once more where another process has dropped one since they were made. */
export async function despiteDrops(partitions: Partitions, attempt: () => Promise<void>): Promise<void> {
  try {
    await attempt()
  } catch (error) {
    if (!(error instanceof Error) || errorCode(error.cause) !== NO_PARTITION) throw error
    partitions.forget()
    await attempt()
  }
}
/** PostgreSQL's check_violation. */
const NO_PARTITION = '23514'

/** Held while tables are made or dropped: two servers must not do it at once. */
const LOCK = 'septet partitions'

export function makePartitions(database: Database): Partitions {
  const known = new Set<string>()

  const ensure = async (kept: Kept, at: Iterable<Instant>) => {
    const wanted = new Map<string, TimePartition>()
    for (const moment of at) {
      const partition = partitionOf(kept, moment)
      if (!known.has(partition.name)) wanted.set(partition.name, partition)
    }
    if (wanted.size === 0) return
    await database.transaction(async (query) => {
      await query('select pg_advisory_xact_lock(hashtext($1))', [LOCK])
      for (const partition of wanted.values()) await query(creation(kept, partition))
    })
    for (const name of wanted.keys()) known.add(name)
  }

  const prune = async (retention: Retention, now: Instant) => {
    let dropped = 0
    for (const kept of ['5m', 'packed', '1h', '1d'] as const) {
      const oldest = oldestKept(kept, retention[kept === 'packed' ? '5m' : kept], now)
      dropped += await dropBefore(database, { kept, before: oldest })
    }
    // Packed rows leave an empty table behind, as large as it was.
    const emptied = await dropBefore(database, { kept: '5m', before: instant(now - PACKED_AFTER_MS), isEmpty: true })
    if (dropped + emptied > 0) known.clear()
    return dropped
  }
  return { ensure, prune, forget: () => known.clear() }
}

/** By then all hours of a day are packed but for what was written to it late. */
const PACKED_AFTER_MS = 6 * HOUR_MS

function creation(kept: Kept, partition: TimePartition): string {
  const [from, to] = [partition.from, partition.to].map((edge) => `'${new Date(edge).toISOString()}'`)
  return `create table if not exists ${partition.name} partition of ${TABLES[kept]} for values from (${from}) to (${to})`
}

type Old = { readonly kept: Kept; readonly before: Instant; readonly isEmpty?: boolean }

async function dropBefore(database: Database, { kept, before, isEmpty = false }: Old): Promise<number> {
  return database.transaction(async (query) => {
    await query('select pg_advisory_xact_lock(hashtext($1))', [LOCK])
    const children = await query<{ name: string }>(
      'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1',
      [TABLES[kept]],
    )
    // Names end in the day that the partition begins with, so they sort and compare like their times.
    const first = partitionOf(kept, before).name
    const old: string[] = []
    for (const { name } of children) if (name < first && (!isEmpty || (await holdsNothing(query, name)))) old.push(name)
    // A long read must not make every other wait behind this: it gives up and comes back with the next prune.
    await query("set local lock_timeout = '5s'")
    for (const name of old) await query(`drop table ${name}`)
    return old.length
  })
}

async function holdsNothing(query: Query, table: string): Promise<boolean> {
  const [found] = await query<{ some: boolean }>(`select exists (select 1 from ${table}) as some`)
  return found?.some === false
}
