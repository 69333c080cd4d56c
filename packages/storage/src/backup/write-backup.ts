import { createHmac } from 'node:crypto'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

import type { PoolClient } from 'pg'
import { to as copyTo } from 'pg-copy-streams'

import type { Database } from '../connection.ts'
import { newestApplied, newestKnown, ownTables } from '../migrate.ts'
import { StoreError } from '../store-error.ts'
import { columnsOf, quotedName, type BackupHead, type BackupTable } from './backup-format.ts'

/** Bytes of one frame: the same whatever the server sends at a time, so that equal tables give equal backups. */
const FRAME = 256 * 1024

/**
 * Writes all tables as they were at one instant, while others go on writing; signed where there is a key.
 * Throws a `StoreError`, also for a database that no Septet has used.
 */
export async function writeBackup(
  database: Database,
  into: Writable,
  key?: Uint8Array,
): Promise<{ readonly tables: number }> {
  return database.guard(async () => {
    const client = await database.pool.connect()
    try {
      await client.query('begin isolation level repeatable read read only')
      // A large table takes longer than any question that a person waits for.
      await client.query('set local statement_timeout = 0')
      // Bounds of partitions are written as times of the zone of whoever asks.
      await client.query("set local time zone 'UTC'")
      const head = { ...(await headOf(client, database.place)), signed: key !== undefined }
      const lines = linesOf(client, head)
      await pipeline(key === undefined ? lines : signed(lines, key), createGzip(), into)
      return { tables: head.tables.length }
    } finally {
      // Closing the connection ends its transaction, whatever happened.
      client.release(true)
    }
  })
}

async function* signed(pieces: AsyncIterable<Buffer>, key: Uint8Array): AsyncGenerator<Buffer> {
  const mac = createHmac('sha256', key)
  for await (const piece of pieces) {
    mac.update(piece)
    yield piece
  }
  yield Buffer.from(`${mac.digest('hex')}\n`)
}

async function* linesOf(client: PoolClient, head: BackupHead): AsyncGenerator<Buffer> {
  const line = Buffer.from(`${JSON.stringify(head)}\n`)
  yield line
  for (const table of head.tables) yield* framesOf(client, table)
  yield line
}

async function* framesOf(client: PoolClient, table: BackupTable): AsyncGenerator<Buffer> {
  const key = await keyOf(client, table.name)
  const order = key.length === 0 ? '' : ` order by ${key.map(quotedName).join(', ')}`
  const rows = client.query(
    copyTo(`copy (select ${columnsOf(table)} from ${quotedName(table.name)}${order}) to stdout`),
  )
  let [held, length]: [Buffer[], number] = [[], 0]
  for await (const piece of rows) {
    held.push(piece)
    length += piece.length
    if (length < FRAME) continue
    const all = Buffer.concat(held)
    const whole = all.length - (all.length % FRAME)
    for (let at = 0; at < whole; at += FRAME) yield frameOf(all.subarray(at, at + FRAME))
    ;[held, length] = [[all.subarray(whole)], all.length - whole]
  }
  if (length > 0) yield frameOf(Buffer.concat(held))
  yield frameOf(Buffer.alloc(0))
}

const frameOf = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from(`${bytes.length}\n`), bytes])

async function headOf(client: PoolClient, place: string): Promise<BackupHead> {
  const migration = await newestApplied(client)
  if (migration === 0) {
    throw new StoreError('unusable', `The database ${place} holds nothing of Septet, so there is nothing to back up.`)
  }
  if (migration > (await newestKnown())) {
    throw new StoreError(
      'too-new',
      `The database ${place} was upgraded by a newer Septet, so this one does not know all that belongs into a backup. Take it with that version.`,
    )
  }
  const { rows } = await client.query<BackupTable>(TABLES, [[...(await ownTables())]])
  const { rows: references } = await client.query<Reference>(REFERENCES)
  return { kind: 'septet-backup', format: 1, migration, tables: inOrder(rows, references) }
}

type Reference = { readonly from: string; readonly to: string }

/** Those that others refer to before these: so rows can be put in as they come. */
function inOrder(tables: readonly BackupTable[], references: readonly Reference[]): BackupTable[] {
  const ordered: BackupTable[] = []
  const put = (table: BackupTable): void => {
    if (ordered.includes(table)) return
    for (const { from, to } of references) {
      const other = from === table.name && to !== from ? tables.find(({ name }) => name === to) : undefined
      if (other !== undefined) put(other)
    }
    ordered.push(table)
  }
  for (const table of tables) put(table)
  return ordered
}

async function keyOf(client: PoolClient, table: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(KEY, [table])
  return rows.map(({ name }) => name)
}

/**
 * Tables with these names, but for what is worked out again after a start and so is not logged; partitions are named
 * with the table that they are of.
 */
const TABLES = `
  select c.relname as name,
    (select json_agg(a.attname order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
    coalesce((select json_agg(json_build_object('name', p.relname, 'bound', pg_get_expr(p.relpartbound, p.oid)) order by p.relname)
      from pg_inherits i join pg_class p on p.oid = i.inhrelid where i.inhparent = c.oid), '[]') as partitions
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
    and c.relname = any($1)
  order by c.relname`

const REFERENCES = `
  select f.relname as from, t.relname as to from pg_constraint k
  join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
  where k.contype = 'f' and k.connamespace = 'public'::regnamespace order by 1, 2`

const KEY = `
  select a.attname as name from pg_index i
  join lateral unnest(i.indkey::int[]) with ordinality as k(attnum, place) on true
  join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
  where i.indrelid = ('public.' || quote_ident($1))::regclass and i.indisprimary order by k.place`
