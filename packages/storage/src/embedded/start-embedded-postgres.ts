import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Log } from '@septet/domain'
import { Client } from 'pg'
import type { DatabaseConnection } from '../connection.ts'
import { StoreError, errorCode } from '../store-error.ts'
import { lockDataDirectory } from './data-lock.ts'
import { findBinaries, type Binaries } from './find-binaries.ts'
import { filesOf, initializeOnce, SUPERUSER, type DatabaseHome } from './initialize.ts'
import { prepareDatabaseFolder, prepareDataDirectory } from './prepare-directory.ts'
import { canReach, chooseRunAs, circumstances, launch, type RunAsFacts, type RunAs } from './run-as.ts'
import { serverFailure } from './server-failure.ts'
import { socketFolder, SOCKET_PORT } from './socket-folder.ts'
import { supervise, type ServerState } from './supervise.ts'
import { cp, lstat, mkdtemp, rename, rm, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { commandOf } from './process-identity.ts'

/** Fast shutdown first; then immediate shutdown, which PostgreSQL recovers from like from a crash. Never SIGKILL. */
const SIGNALS = ['SIGINT', 'SIGQUIT'] as const
const WAIT_MS = 10_000

/**
 * Ends a PostgreSQL that outlived the Septet which started it (that was killed). Only ever called by the owner of the
 * data directory, and only ends a process whose command line names these very files.
 */
async function stopOrphan(files: string, log: Log): Promise<void> {
  const pid = await postmasterOf(files)
  if (pid === undefined || !serves(pid, files)) return
  log.warn('stopping a database server left behind by a Septet that was killed', { pid })
  for (const signal of SIGNALS) {
    process.kill(pid, signal)
    if (await hasEnded(pid, files)) return
  }
  throw new StoreError(
    'in-use',
    `A database server left behind by a killed Septet (process ${pid}) still holds ${files} and does not stop. ` +
      'End that process, then start Septet again; the data is untouched.',
  )
}

async function postmasterOf(files: string): Promise<number | undefined> {
  const text = await readFile(join(files, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  return pid > 1 ? pid : undefined
}

const serves = (pid: number, files: string): boolean => commandOf(pid)?.includes(files) === true

async function hasEnded(pid: number, files: string): Promise<boolean> {
  for (let waited = 0; waited < WAIT_MS; waited += 50) {
    if (!serves(pid, files)) return true
    await delay(50)
  }
  return false
}

export type EmbeddedPostgres = {
  readonly connection: DatabaseConnection
  state(): ServerState
  /** Stops the server (everything committed is on disk) and gives the data directory back. */
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  readonly dataDir: string
  readonly log: Log
  /** Rights of this process; found out when absent. */
  readonly circumstances?: RunAsFacts
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
): Promise<DatabaseHome> {
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

async function run(home: DatabaseHome, log: Log): Promise<EmbeddedPostgres> {
  const { password, made } = await initializeOnce(home)
  await stopOrphan(filesOf(home), log)
  const socket = await socketFolder(home.folder, home.runAs)
  const connection = { host: socket, port: SOCKET_PORT, user: SUPERUSER, password, database: 'septet' }
  const server = await supervise({
    start: () => launch(home.runAs, join(home.binaries.root, 'bin', 'postgres'), postgresSettings(home, socket)),
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
export function postgresSettings(home: DatabaseHome, socket: string): string[] {
  const values = {
    listen_addresses: '',
    unix_socket_directories: socket,
    unix_socket_permissions: '0700',
    port: String(SOCKET_PORT),
    // Each cluster's pipeline has one, the server and other threads eight each.
    max_connections: '100',
    // Short analytic queries: compiling them costs more than it saves.
    jit: 'off',
    wal_compression: 'on',
    max_wal_size: '1GB',
    log_min_messages: 'log',
  }
  return ['-D', filesOf(home), ...Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

export async function answers(connection: DatabaseConnection): Promise<boolean> {
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

async function createDatabase(connection: DatabaseConnection): Promise<void> {
  const client = new Client({ ...connection, database: 'postgres' })
  try {
    await client.connect()
    const found = await client.query('select 1 from pg_database where datname = $1', [connection.database])
    if (found.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(connection.database)}`)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * Copies the server programs to a place that every user can reach, for a checkout below a closed folder such as /root.
 * The copy is used again while it belongs to root and nobody else may write to it.
 */
export async function stageBinaries(binaries: Binaries): Promise<Binaries> {
  const staged = join(tmpdir(), `septet-postgres-${binaries.version}`)
  if (!(await isOurs(staged))) await copyThere(binaries.root, staged)
  if (!(await isOurs(staged))) {
    throw new StoreError(
      'unusable',
      `${staged} belongs to someone else, so the bundled PostgreSQL cannot be put there to run without root rights. ` +
        'Remove that folder, install Septet in a folder that every user can reach, or set DATABASE_URL.',
    )
  }
  return { ...binaries, root: staged }
}

async function copyThere(from: string, to: string): Promise<void> {
  const draft = await mkdtemp(`${to}-`)
  await cp(from, join(draft, 'native'), { recursive: true, verbatimSymlinks: true })
  try {
    await rename(join(draft, 'native'), to)
  } catch (error) {
    if (!['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(errorCode(error))) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  return found !== undefined && found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}
