import type { Instant, Retention, Span } from '@septet/domain'

import type { Database } from '../connection.ts'
import { oldestKept, partitionOf, TABLES, type TimePartition } from './time-partition.ts'

/** Makes and drops the tables that hold a stretch of time each. */
export type Partitions = {
  /** Makes what is missing for these buckets, before the transaction that writes them. */
  ensure(span: Span, at: Iterable<Instant>): Promise<void>
  /** Drops every partition wholly older than retention says; tells how many. */
  prune(retention: Retention, now: Instant): Promise<number>
  forget(): void
}

/** Held while tables are made or dropped: two servers must not do it at once. */
const LOCK = 'septet partitions'

export function makePartitions(database: Database): Partitions {
  const known = new Set<string>()

  const ensure = async (span: Span, at: Iterable<Instant>) => {
    const wanted = new Map<string, TimePartition>()
    for (const moment of at) {
      const partition = partitionOf(span, moment)
      if (!known.has(partition.name)) wanted.set(partition.name, partition)
    }
    if (wanted.size === 0) return
    await database.transaction(async (query) => {
      await query('select pg_advisory_xact_lock(hashtext($1))', [LOCK])
      for (const partition of wanted.values()) await query(creation(span, partition))
    })
    for (const name of wanted.keys()) known.add(name)
  }

  const prune = async (retention: Retention, now: Instant) => {
    let dropped = 0
    for (const span of ['5m', '1h', '1d'] as const) {
      dropped += await dropBefore(database, span, oldestKept(span, retention[span], now))
    }
    if (dropped > 0) known.clear()
    return dropped
  }
  return { ensure, prune, forget: () => known.clear() }
}

function creation(span: Span, partition: TimePartition): string {
  const [from, to] = [partition.from, partition.to].map((edge) => `'${new Date(edge).toISOString()}'`)
  return `create table if not exists ${partition.name} partition of ${TABLES[span]} for values from (${from}) to (${to})`
}

async function dropBefore(database: Database, span: Span, oldest: Instant): Promise<number> {
  return database.transaction(async (query) => {
    await query('select pg_advisory_xact_lock(hashtext($1))', [LOCK])
    const children = await query<{ name: string }>(
      'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1',
      [TABLES[span]],
    )
    // Names end in the day that the partition begins with, so they sort and compare like their times.
    const first = partitionOf(span, oldest).name
    const old = children.filter(({ name }) => name < first)
    // A long read must not make every other wait behind this: it gives up and comes back with the next prune.
    await query("set local lock_timeout = '5s'")
    for (const { name } of old) await query(`drop table ${name}`)
    return old.length
  })
}
