import { createHmac, timingSafeEqual, type Hmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'

import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

import type { Database } from '../connection.ts'
import { migrate, newestKnown, ownTables } from '../migrate.ts'
import { StoreError } from '../store-error.ts'
import { columnsOf, isBackupHead, quotedName, type BackupHead, type BackupTable } from './backup-format.ts'

/**
 * Puts a backup into a database that holds nothing yet, all or nothing, and brings it to this version. Throws a `StoreError`
 * where the database is not empty or in use, and for a file that is not a backup, is cut off, is not what was signed, or was
 * made by a newer Septet; nothing was changed then.
 */
export async function readBackup(
  database: Database,
  source: Readable,
  { key, unverified = false }: BackupTrust,
): Promise<{ readonly tables: number }> {
  const bytes = new ByteReader(source.pipe(createGunzip()), key)
  const head = await headOf(bytes)
  const doubt = unverified ? undefined : whyDoubted(head, key)
  if (doubt !== undefined) throw refused(`${doubt} Nothing was restored. ${ANYWAY}`)
  if (head.migration > (await newestKnown())) {
    throw refused('This backup was made by a newer Septet. Restore it with that version or a later one.')
  }
  const own = await ownTables()
  if (head.tables.some(({ name }) => !own.has(name))) throw refused('This file names tables that Septet does not have.')
  await needUnused(database)
  // The tables as they were when the backup was made; what was added since is added below, with the rows in them.
  await migrate(database, { until: head.migration })
  await database
    .guard(() => putAll(database, head, { bytes, unverified }))
    .catch(async (error: unknown) => {
      // It was empty before, so it is made empty again: otherwise a second try would find tables of the first.
      await database.query(
        `drop table if exists ${[...own, 'septet_migrations'].map(quotedName).join(', ')} cascade;
         drop function if exists audit_entries_are_only_added`,
      )
      throw error
    })
  await migrate(database)
  return { tables: head.tables.length }
}

/** What a backup is checked by: the key that it was signed with. `unverified`: it is restored all the same. */
export type BackupTrust = { readonly key?: Uint8Array | undefined; readonly unverified?: boolean }

const FOREIGN = 'This backup was changed after it was made, or was made with another secret.'
const ANYWAY = 'Use --unverified to restore it without that check, if no one else could write to it.'

/** Why nobody can tell whether a backup is as it was made. */
function whyDoubted({ signed }: BackupHead, key: Uint8Array | undefined): string | undefined {
  if (signed !== true) return 'This backup is not signed: it was made by an older Septet, or without its secret.'
  return key === undefined
    ? 'This backup is checked by the secret that it was made with: set SEPTET_SECRET, or put the file secret into the data directory.'
    : undefined
}

async function headOf(bytes: ByteReader): Promise<BackupHead> {
  const head = parsed(await bytes.line().catch(() => ''))
  if (isBackupHead(head)) return head
  throw refused('This file is not a backup of Septet. Name one that septet backup wrote.')
}

/** A connection that was closed this moment is still listed for a while: so often it is looked again. */
const MOST_LOOKS = 30

async function isInUse(database: Database): Promise<boolean> {
  const [others] = await database.query<{ found: boolean }>(
    `select exists (select from pg_stat_activity where datname = current_database()
      and application_name = 'septet' and pid <> pg_backend_pid()) as found`,
  )
  return others?.found === true
}

/** Neither another Septet nor data of one may be there. */
async function needUnused(database: Database): Promise<void> {
  for (let looks = 0; await isInUse(database); looks += 1) {
    if (looks === MOST_LOOKS) throw refused(`A Septet uses the database ${database.place}. Stop it, and restore again.`)
    await sleep(100)
  }
  const [used] = await database.query<{ found: boolean }>(
    `select to_regclass('public.septet_migrations') is not null as found`,
  )
  if (used?.found === true) {
    throw refused(
      `The database ${database.place} holds data of Septet already, which a restore would mix with other data. ` +
        'Restore into an empty database or a new data directory.',
    )
  }
}

type Reading = { readonly bytes: ByteReader; readonly unverified: boolean }

async function putAll(database: Database, head: BackupHead, { bytes, unverified }: Reading): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await client.query("set local time zone 'UTC'")
    for (const table of head.tables) {
      // A migration may have put rows there that the backup has too. Where there are none nothing is deleted: some tables
      // do not let anybody.
      const { rowCount } = await client.query(`select from ${quotedName(table.name)} limit 1`)
      if (rowCount !== 0) await client.query(`delete from ${quotedName(table.name)}`)
      for (const { name, bound } of table.partitions) {
        await client.query(
          `create table if not exists ${quotedName(name)} partition of ${quotedName(table.name)} ${boundOf(bound)}`,
        )
      }
      await putRows(client, table, bytes)
      await setSequences(client, table)
    }
    if ((await bytes.line()) !== JSON.stringify(head)) throw cutOff()
    if (!unverified && !(await bytes.endsSigned())) throw refused(`${FOREIGN} Nothing was restored. ${ANYWAY}`)
    await client.query('commit')
  } finally {
    // Closing the connection ends a transaction that was not committed.
    client.release(true)
  }
}

/** Bounds are put into a statement, so nothing but a range of times is let through. */
function boundOf(bound: string): string {
  if (/^FOR VALUES FROM \('?[-\d :+.]+'?\) TO \('?[-\d :+.]+'?\)$/u.test(bound)) return bound
  throw refused('This file is not a backup of Septet: the bounds of a partition in it are no times.')
}

async function putRows(client: PoolClient, table: BackupTable, bytes: ByteReader): Promise<void> {
  const rows = client.query(copyFrom(`copy ${quotedName(table.name)} (${columnsOf(table)}) from stdin`))
  await pipeline(Readable.from(framesIn(bytes), { objectMode: false }), rows)
}

async function* framesIn(bytes: ByteReader): AsyncGenerator<Buffer> {
  for (;;) {
    const length = Number(await bytes.line())
    if (!Number.isSafeInteger(length) || length < 0) throw cutOff()
    if (length === 0) return
    yield await bytes.take(length)
  }
}

/** Numbers that a column gives out go on after the largest that was put in. */
async function setSequences(client: PoolClient, { name }: BackupTable): Promise<void> {
  const { rows } = await client.query<{ column: string }>(
    `select attname as column from pg_attribute
      where attrelid = ('public.' || quote_ident($1))::regclass and attidentity <> ''`,
    [name],
  )
  for (const { column } of rows) {
    await client.query(
      `select setval(pg_get_serial_sequence('public.' || quote_ident($1), $2), max(${quotedName(column)}))
        from ${quotedName(name)} having count(*) > 0`,
      [name, column],
    )
  }
}

/** Takes lines and counted bytes from a stream. */
class ByteReader {
  readonly #pieces: AsyncIterator<Buffer>
  #held: Buffer = Buffer.alloc(0)
  #mac: Hmac | undefined

  constructor(stream: Readable, key: Uint8Array | undefined) {
    this.#pieces = stream[Symbol.asyncIterator]()
    this.#mac = key && createHmac('sha256', key)
  }

  /** Whether what comes next is the signature of all that was taken. */
  async endsSigned(): Promise<boolean> {
    const made = this.#mac?.digest() ?? Buffer.alloc(0)
    this.#mac = undefined
    const told = Buffer.from(await this.line(), 'hex')
    return made.length > 0 && made.length === told.length && timingSafeEqual(made, told)
  }

  async line(): Promise<string> {
    for (let end = this.#held.indexOf(10); ; end = this.#held.indexOf(10)) {
      if (end >= 0) {
        return this.#taken(end + 1)
          .subarray(0, end)
          .toString('utf8')
      }
      await this.#more()
    }
  }

  async take(length: number): Promise<Buffer> {
    while (this.#held.length < length) await this.#more()
    return this.#taken(length)
  }

  #taken(length: number): Buffer {
    const taken = this.#held.subarray(0, length)
    this.#held = this.#held.subarray(length)
    this.#mac?.update(taken)
    return taken
  }

  async #more(): Promise<void> {
    const next = await this.#pieces.next().catch(() => ({ done: true, value: undefined }) as const)
    if (next.done === true || next.value === undefined) throw cutOff()
    this.#held = Buffer.concat([this.#held, next.value])
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const cutOff = (): StoreError =>
  refused('This backup is cut off or damaged, so nothing was restored. Use another copy of it.')

const refused = (words: string): StoreError => new StoreError('unusable', words)
