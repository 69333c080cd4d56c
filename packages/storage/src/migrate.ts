import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { drizzle, migrate as runMigrations } from './drizzle.ts'
import type { ClientBase } from 'pg'

import type { Database } from './connection.ts'
import { StoreError } from './store-error.ts'

export const FOLDER = fileURLToPath(new URL('../migrations', import.meta.url))
const TABLE = { migrationsSchema: 'public', migrationsTable: 'septet_migrations' }
/** Any number that no other program uses on the same database: "septet" in ASCII. */
const LOCK = 126_879_515_567_476
const OLDEST_MAJOR = 15

type Which = {
  /** Only up to the migration of that date. */
  readonly until?: number
  /** Those of another version, for tests. */
  readonly folder?: string
}

/**
 * Brings the tables to this version's shape, once, also when several servers start at the same time. Tables that a newer
 * version has shaped are used as they are, where it left them so that this one can.
 */
export async function migrate(database: Database, { until = Infinity, folder = FOLDER }: Which = {}): Promise<void> {
  await database.guard(async () => {
    const client = await database.pool.connect()
    try {
      await checkVersion(client, database.place)
      await client.query('select pg_advisory_lock($1)', [LOCK])
      const [applied, known] = [await newestApplied(client), await newestKnown(folder)]
      await needNotTooOld(client, { known, place: database.place })
      // Not even asked when there is nothing to do: so a standby can be read.
      if (applied < Math.min(known, until)) {
        const floor = await floorOf(folder, (when) => when > applied && when <= until)
        await needNoneOlder(client, { floor, place: database.place })
        await withMigrations(folder, until, (migrationsFolder) =>
          runMigrations(drizzle(client), { migrationsFolder, ...TABLE }),
        )
      }
    } finally {
      // Closing the connection gives the lock back, whatever happened.
      client.release(true)
    }
  })
}

async function checkVersion(client: ClientBase, place: string): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
  const major = Math.floor(Number(rows[0]?.server_version_num) / 10_000)
  if (major >= OLDEST_MAJOR) return
  throw new StoreError(
    'too-old',
    `The database ${place} is PostgreSQL ${major}; Septet needs ${OLDEST_MAJOR} or newer, so it did not start and changed ` +
      'nothing. Upgrade the server, name another in DATABASE_URL, or leave that empty to use the bundled one.',
  )
}

/** When the newest migration in this database was written, as the journal says it; 0 in a new database. */
export async function newestApplied(client: ClientBase): Promise<number> {
  const there = await client.query<{ found: string | null }>(
    `select to_regclass('${TABLE.migrationsSchema}.${TABLE.migrationsTable}')::text as found`,
  )
  if (typeof there.rows[0]?.found !== 'string') return 0
  const applied = await client.query<{ newest: string | null }>(
    `select max(created_at)::text as newest from ${TABLE.migrationsSchema}.${TABLE.migrationsTable}`,
  )
  return Number(applied.rows[0]?.newest ?? 0)
}

type Version = { readonly known: number; readonly place: string }

/** A newer Septet may have changed tables in ways that this one would damage: it said so then. */
async function needNotTooOld(client: ClientBase, { known, place }: Version): Promise<void> {
  if ((await newestApplied(client)) <= known) return
  const { rows } = await client.query<{ oldest: string }>(
    'select coalesce(max(oldest), 0)::text as oldest from schema_floor',
  )
  if (Number(rows[0]?.oldest) <= known) return
  throw new StoreError(
    'too-new',
    `The database ${place} was upgraded by a newer Septet in a way that this one cannot use, so this one stopped and changed nothing. ` +
      'Start that version or a later one, or restore a backup from before the upgrade.',
  )
}

/** Servers at work, by their versions: each holds a lock with these two numbers, the second one in seconds. */
const AT_WORK = 126_879_515
const numberOf = (known: number): number => Math.floor(known / 1000)

/**
 * Says on a connection, for as long as it is open, that a Septet of this version uses the database, so that no migration is
 * made that it cannot live with. Throws where one was made already.
 */
export async function takePlace(client: ClientBase, place: string): Promise<void> {
  const known = await newestKnown()
  // Behind the lock of migrations: one that begins sees this server, or this server sees what it did.
  await client.query('select pg_advisory_lock($1)', [LOCK])
  try {
    await needNotTooOld(client, { known, place })
    await client.query('select pg_advisory_lock_shared($1, $2)', [AT_WORK, numberOf(known)])
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK])
  }
}

/** Older servers would go on by what they know of the tables. */
async function needNoneOlder(
  client: ClientBase,
  { floor, place }: { readonly floor: number; readonly place: string },
): Promise<void> {
  const { rows } = await client.query(
    `select from pg_locks where locktype = 'advisory' and classid = $1 and objsubid = 2 and objid < $2
       and database = (select oid from pg_database where datname = current_database())`,
    [AT_WORK, numberOf(floor)],
  )
  if (rows.length === 0) return
  throw new StoreError(
    'in-use',
    `An older Septet still uses the database ${place} and could not use it after this upgrade, so this one did not start and changed nothing. ` +
      'Stop all older ones, then start this one.',
  )
}

/** What the chosen migrations ask of a Septet that uses the tables after them: the date of the newest one that it must know. */
async function floorOf(folder: string, isChosen: (when: number) => boolean): Promise<number> {
  const { entries } = await readJournal(folder)
  const texts = entries
    .filter(({ when }) => isChosen(when))
    .map(({ tag }) => readFile(join(folder, `${tag}.sql`), 'utf8'))
  return Math.max(0, ...(await Promise.all(texts)).map(floorIn))
}

/** As one migration says it; 0 where any Septet can live with it that could before. */
export const floorIn = (text: string): number =>
  Number(/^insert into "schema_floor" \("oldest"\) values \((\d+)\)/imu.exec(text)?.[1] ?? 0)

export async function newestKnown(folder = FOLDER): Promise<number> {
  return Math.max(0, ...(await readJournal(folder)).entries.map(({ when }) => when))
}

/** Names of all tables that a migration has ever made: others in the same database are somebody else's. */
export async function ownTables(): Promise<ReadonlySet<string>> {
  const { entries } = await readJournal()
  const texts = await Promise.all(entries.map(({ tag }) => readFile(join(FOLDER, `${tag}.sql`), 'utf8')))
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/^create (?:unlogged )?table "(\w+)"/gimu)].flatMap(([, name]) => name ?? []),
    ),
  )
}

type Journal = { readonly entries: readonly { readonly when: number; readonly tag: string }[] }

export const readJournal = async (folder = FOLDER): Promise<Journal> =>
  JSON.parse(await readFile(`${folder}/meta/_journal.json`, 'utf8'))

/** A folder of the migrations up to a date. */
async function withMigrations(from: string, until: number, use: (folder: string) => Promise<void>): Promise<void> {
  if (until === Infinity) return use(from)
  const journal = await readJournal(from)
  const entries = journal.entries.filter(({ when }) => when <= until)
  const folder = await mkdtemp(join(tmpdir(), 'septet-migrations-'))
  try {
    await mkdir(join(folder, 'meta'))
    await writeFile(join(folder, 'meta', '_journal.json'), JSON.stringify({ ...journal, entries }))
    await Promise.all(entries.map(({ tag }) => copyFile(join(from, `${tag}.sql`), join(folder, `${tag}.sql`))))
    await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
