import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import type { Log } from '@septet/domain'

import { StoreError, errorCode } from '../store-error.ts'
import { identityOf, type ProcessIdentity } from './process-identity.ts'

export type DataLock = { release(): void }

const FILE = 'septet.lock'
const HEARTBEAT_MS = 2000
/** A lock taken in another container or on another machine counts as left behind after this long without a beat. */
const PATIENCE_MS = 10_000

type Owner = ProcessIdentity & { readonly host: string }

/**
 * Makes this process the only owner of a data directory. The lock file names pid and start time; where those cannot be
 * checked (another container on the same volume) a heartbeat tells a living owner from a dead one.
 * Throws a `StoreError` of code `in-use` that names the owner.
 */
export async function lockDataDirectory(dataDir: string, log: Log, patienceMs = PATIENCE_MS): Promise<DataLock> {
  const path = join(dataDir, FILE)
  const mine = describe()
  while (!create(path, mine)) {
    const found = read(path)
    if (found === undefined) continue
    const owner = parse(found)
    if (owner !== undefined && (await isAlive(owner, { path, log, patienceMs }))) throw inUse(dataDir, owner)
    takeAway(path, found)
    log.warn('took over a data directory lock whose owner is gone', { dataDir, owner: owner?.pid })
  }
  const beat = setInterval(() => touch(path), HEARTBEAT_MS)
  beat.unref()
  return { release: () => release(path, mine, beat) }
}

function describe(): string {
  const owner = { ...identityOf(process.pid), host: hostname() }
  return JSON.stringify(owner)
}

/** A link appears with its content or not at all: nobody ever reads half a lock. */
function create(path: string, content: string): boolean {
  const draft = `${path}.${randomUUID()}`
  writeFileSync(draft, content, { mode: 0o600, flag: 'wx' })
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Undefined for a file that is not a lock of ours (a torn disk, an editor): treated as left behind. */
function parse(content: string): Owner | undefined {
  try {
    const value: unknown = JSON.parse(content)
    return isOwner(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isOwner = (value: unknown): value is Owner =>
  typeof value === 'object' &&
  value !== null &&
  'pid' in value &&
  'started' in value &&
  'place' in value &&
  typeof value.pid === 'number'

type Watched = { readonly path: string; readonly log: Log; readonly patienceMs: number }

async function isAlive(owner: Owner, { path, log, patienceMs }: Watched): Promise<boolean> {
  const here = identityOf(process.pid)
  if (owner.place === here?.place) return identityOf(owner.pid)?.started === owner.started
  const seen = beatOf(path)
  log.info('waiting to see whether the owner of the data directory is alive', { host: owner.host, pid: owner.pid })
  for (let waited = 0; waited < patienceMs; waited += 500) {
    await delay(500)
    if (beatOf(path) !== seen) return true
  }
  return false
}

function beatOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Moves the dead owner's lock away. If a living one took its place in between, that one is put back. */
function takeAway(path: string, expected: string): void {
  const away = `${path}.${randomUUID()}`
  try {
    renameSync(path, away)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    throw error
  }
  try {
    if (readFileSync(away, 'utf8') !== expected) linkSync(away, path)
  } finally {
    rmSync(away, { force: true })
  }
}

function touch(path: string): void {
  const now = new Date()
  try {
    utimesSync(path, now, now)
  } catch {
    // A beat that fails (disk gone read-only) must not end the process; the database reports the disk itself.
  }
}

function release(path: string, mine: string, beat: NodeJS.Timeout): void {
  clearInterval(beat)
  if (read(path) === mine) rmSync(path, { force: true })
}

function inUse(dataDir: string, owner: Owner): StoreError {
  const who =
    owner.place === identityOf(process.pid)?.place ? `process ${owner.pid}` : `process ${owner.pid} on ${owner.host}`
  return new StoreError(
    'in-use',
    `Another Septet (${who}) is using the data directory ${dataDir}; it is unaffected, and this one did not start. ` +
      'Stop that process first, or give this one a different folder with SEPTET_DATA_DIR.',
  )
}
