import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'

import type { Log } from '@septet/domain'
import { Client } from 'pg'

import type { Connection } from '../connection.ts'
import { StoreError } from '../store-error.ts'
import { lockDataDirectory } from './data-lock.ts'
import { findBinaries, type Binaries } from './find-binaries.ts'
import { filesOf, initializeOnce, SUPERUSER, type Home } from './initialize.ts'
import { prepareDatabaseFolder, prepareDataDirectory } from './prepare-directory.ts'
import { canReach, chooseRunAs, circumstances, launch, type Circumstances, type RunAs } from './run-as.ts'
import { serverFailure } from './server-failure.ts'
import { socketFolder, SOCKET_PORT } from './socket-folder.ts'
import { stageBinaries } from './stage-binaries.ts'
import { stopOrphan } from './stop-orphan.ts'
import { supervise, type ServerState } from './supervise.ts'

export type EmbeddedPostgres = {
  readonly connection: Connection
  state(): ServerState
  /** Stops the server (everything committed is on disk) and gives the data directory back. */
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  readonly dataDir: string
  readonly log: Log
  /** Rights of this process; found out when absent. */
  readonly circumstances?: Circumstances
  /** Server programs to run; those that npm installed when absent. */
  readonly binaries?: Binaries
}

/**
 * Runs the bundled PostgreSQL on files under `dataDir/postgres`, reachable only through a socket that its user alone may
 * enter. It is made on first use, started again when it ends, and stopped with `stop`.
 * Throws a `StoreError`: `in-use`, `read-only`, `disk-full`, `damaged` or `unusable`.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  await prepareDataDirectory(resolve(options.dataDir))
  const dataDir = realpathSync(options.dataDir)
  const lock = await lockDataDirectory(dataDir, options.log)
  try {
    const home = await makeHome(dataDir, options)
    const running = await run(home, options.log)
    return {
      ...running,
      stop: async () => {
        await running.stop()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Finds out with which programs and as which user a database under `dataDir` runs, and makes its folder. */
export async function makeHome(
  dataDir: string,
  options: Pick<EmbeddedOptions, 'circumstances' | 'binaries'> = {},
): Promise<Home> {
  const folder = join(dataDir, 'postgres')
  const here = options.circumstances ?? circumstances()
  const installed = options.binaries ?? (await findBinaries())
  const runAs = chooseRunAs([folder], here)
  if (runAs === undefined) throw unreachableFolder(folder)
  const home = { folder, runAs, binaries: await reachableBinaries(installed, runAs) }
  await prepareDatabaseFolder(folder, runAs)
  return home
}

/** The programs look for each other with access(2), which leaves capabilities out: they must lie where all can walk. */
const reachableBinaries = async (installed: Binaries, runAs: RunAs): Promise<Binaries> =>
  runAs.kind === 'self' || canReach(join(installed.root, 'bin', 'postgres')) ? installed : stageBinaries(installed)

function unreachableFolder(folder: string): StoreError {
  return new StoreError(
    'unusable',
    `Septet runs as root, PostgreSQL refuses to, and the user it drops to cannot reach ${folder}, because a folder above ` +
      'it is closed to others. Name a folder under an open one with SEPTET_DATA_DIR (for instance /var/lib/septet), ' +
      'start Septet as an ordinary user, or set DATABASE_URL.',
  )
}

async function run(home: Home, log: Log): Promise<EmbeddedPostgres> {
  const { password, made } = await initializeOnce(home)
  await stopOrphan(filesOf(home), log)
  const socket = await socketFolder(home.folder, home.runAs)
  const connection = { host: socket, port: SOCKET_PORT, user: SUPERUSER, password, database: 'septet' }
  const server = await supervise({
    start: () => launch(home.runAs, join(home.binaries.root, 'bin', 'postgres'), settings(home, socket)),
    answers: () => answers(connection),
    failure: (output) => serverFailure('start', home.folder, output),
    log,
  })
  try {
    await createDatabase(connection)
  } catch (error) {
    await server.stop()
    throw error
  }
  log.info('the database server runs', { folder: home.folder, version: home.binaries.version, made })
  return { connection, state: server.state, stop: server.stop }
}

/** What the server program is called with. */
export function settings(home: Home, socket: string): string[] {
  const values = {
    listen_addresses: '',
    unix_socket_directories: socket,
    unix_socket_permissions: '0700',
    port: String(SOCKET_PORT),
    // Each thread and each cluster's pipeline has a pool of eight.
    max_connections: '100',
    // Short analytic queries: compiling them costs more than it saves.
    jit: 'off',
    wal_compression: 'on',
    max_wal_size: '1GB',
    log_min_messages: 'log',
  }
  return ['-D', filesOf(home), ...Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

export async function answers(connection: Connection): Promise<boolean> {
  const client = new Client({ ...connection, database: 'postgres', connectionTimeoutMillis: 2000 })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function createDatabase(connection: Connection): Promise<void> {
  const client = new Client({ ...connection, database: 'postgres' })
  try {
    await client.connect()
    const found = await client.query('select 1 from pg_database where datname = $1', [connection.database])
    if (found.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(connection.database)}`)
  } finally {
    await client.end().catch(() => undefined)
  }
}
