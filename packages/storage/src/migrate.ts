import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { drizzle, migrate as runMigrations } from './drizzle.ts'
import type { PoolClient } from 'pg'

import type { Database } from './connection.ts'
import { StoreError } from './store-error.ts'

const FOLDER = fileURLToPath(new URL('../migrations', import.meta.url))
const TABLE = { migrationsSchema: 'public', migrationsTable: 'septet_migrations' }
/** Any number that no other program uses on the same database: "septet" in ASCII. */
const LOCK = 126_879_515_567_476
const OLDEST_MAJOR = 15

/**
 * Brings the tables to this version's shape, once, also when several servers start at the same time; with `until` only to
 * that of the migration of that date.
 */
export async function migrate(database: Database, until = Infinity): Promise<void> {
  await database.guard(async () => {
    const client = await database.pool.connect()
    try {
      await checkVersion(client, database.place)
      await client.query('select pg_advisory_lock($1)', [LOCK])
      const [applied, known] = [await newestApplied(client), await newestKnown()]
      if (applied > known) throw tooNew(database.place)
      // Not even asked when there is nothing to do: so a standby can be read.
      if (applied < Math.min(known, until)) {
        await withMigrations(until, (migrationsFolder) =>
          runMigrations(drizzle(client), { migrationsFolder, ...TABLE }),
        )
      }
    } finally {
      // Closing the connection gives the lock back, whatever happened.
      client.release(true)
    }
  })
}

async function checkVersion(client: PoolClient, place: string): Promise<void> {
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
export async function newestApplied(client: PoolClient): Promise<number> {
  const there = await client.query<{ found: string | null }>(
    `select to_regclass('${TABLE.migrationsSchema}.${TABLE.migrationsTable}')::text as found`,
  )
  if (typeof there.rows[0]?.found !== 'string') return 0
  const applied = await client.query<{ newest: string | null }>(
    `select max(created_at)::text as newest from ${TABLE.migrationsSchema}.${TABLE.migrationsTable}`,
  )
  return Number(applied.rows[0]?.newest ?? 0)
}

/** A newer Septet may have changed tables in ways that this one would damage. */
function tooNew(place: string): StoreError {
  return new StoreError(
    'too-new',
    `The database ${place} was already used by a newer Septet, so this one did not start and changed nothing. ` +
      'Start that version or a later one, or restore a backup from before the upgrade.',
  )
}

export async function newestKnown(): Promise<number> {
  return Math.max(0, ...(await readJournal()).entries.map(({ when }) => when))
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

const readJournal = async (): Promise<Journal> => JSON.parse(await readFile(`${FOLDER}/meta/_journal.json`, 'utf8'))

/** A folder of the migrations up to a date. */
async function withMigrations(until: number, use: (folder: string) => Promise<void>): Promise<void> {
  if (until === Infinity) return use(FOLDER)
  const journal = await readJournal()
  const entries = journal.entries.filter(({ when }) => when <= until)
  const folder = await mkdtemp(join(tmpdir(), 'septet-migrations-'))
  try {
    await mkdir(join(folder, 'meta'))
    await writeFile(join(folder, 'meta', '_journal.json'), JSON.stringify({ ...journal, entries }))
    await Promise.all(entries.map(({ tag }) => copyFile(join(FOLDER, `${tag}.sql`), join(folder, `${tag}.sql`))))
    await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
