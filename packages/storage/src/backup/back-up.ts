import { existsSync, realpathSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'

import type { Log } from '@septet/domain'

import { openDatabase, type DatabaseConnection, type Database } from '../connection.ts'
import { filesOf, initializeOnce, SUPERUSER } from '../embedded/initialize.ts'
import { socketFolder, SOCKET_PORT } from '../embedded/socket-folder.ts'
import { answers, makeHome, startEmbeddedPostgres } from '../embedded/start-embedded-postgres.ts'
import { StoreError } from '../store-error.ts'
import { readBackup, type BackupTrust } from './read-backup.ts'
import { writeBackup } from './write-backup.ts'

/** A database by its address, or the bundled one by its data directory. */
export type DatabasePlace = { readonly url: string } | { readonly dataDir: string }

/** Writes a backup of a database, also while a Septet uses it. Throws a `StoreError`. */
export async function backUp(place: DatabasePlace, into: Writable, { log, key }: BackupParts): Promise<Backed> {
  const running = 'url' in place ? undefined : await runningIn(place.dataDir)
  const write = (database: Database): Promise<Backed> => writeBackup(database, into, key)
  if (running === undefined) return withDatabase(place, log, write)
  return closing(openDatabase({ connection: running, log, patient: true }), write)
}
type BackupParts = { readonly log: Log; readonly key: Uint8Array | undefined }
type Backed = { readonly tables: number }

/** Puts a backup into an empty database or a new data directory. Throws a `StoreError`, as `readBackup` does. */
export const restoreBackup = (
  place: DatabasePlace,
  from: Readable,
  { log, ...trust }: BackupTrust & Pick<BackupParts, 'log'>,
): Promise<Backed> => withDatabase(place, log, (database) => readBackup(database, from, trust))

async function withDatabase<Result>(
  place: DatabasePlace,
  log: Log,
  use: (database: Database) => Promise<Result>,
): Promise<Result> {
  if ('url' in place) return closing(openDatabase({ url: place.url, log, patient: true }), use)
  const postgres = await startEmbeddedPostgres({ dataDir: place.dataDir, log })
  try {
    return await closing(openDatabase({ connection: postgres.connection, log, patient: true }), use)
  } finally {
    await postgres.stop()
  }
}

async function closing<Result>(database: Database, use: (database: Database) => Promise<Result>): Promise<Result> {
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}

/** How the server of a data directory is reached; undefined while none runs. Throws where there is no database at all. */
async function runningIn(dataDir: string): Promise<DatabaseConnection | undefined> {
  if (!existsSync(dataDir)) throw noDatabase(dataDir)
  const home = await makeHome(realpathSync(dataDir))
  if (!existsSync(filesOf(home))) throw noDatabase(dataDir)
  const { password } = await initializeOnce(home)
  const host = await socketFolder(home.folder, home.runAs)
  const connection = { host, port: SOCKET_PORT, user: SUPERUSER, password, database: 'septet' }
  return (await answers(connection)) ? connection : undefined
}

const noDatabase = (dataDir: string): StoreError =>
  new StoreError(
    'unusable',
    `There is no database in ${dataDir}. Name the data directory of Septet with --data-dir, or its database with --database-url.`,
  )
