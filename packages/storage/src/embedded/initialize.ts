import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, open, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { StoreError } from '../store-error.ts'
import type { Binaries } from './find-binaries.ts'
import { launch, type RunAs } from './run-as.ts'
import { runToEnd } from './run-to-end.ts'
import { serverFailure } from './server-failure.ts'

export type DatabaseHome = {
  readonly binaries: Binaries
  readonly runAs: RunAs
  /** Folder that belongs to the database alone; the cluster's files are in `data` under it. */
  readonly folder: string
}

export const SUPERUSER = 'septet'
const PASSWORD = 'septet.password'

export const filesOf = (home: DatabaseHome): string => join(home.folder, 'data')

/**
 * Makes the database files on first use and returns the password. They are made under another name and renamed when
 * complete, so a kill in between leaves nothing that looks finished.
 */
export async function initializeOnce(home: DatabaseHome): Promise<{ password: string; made: boolean }> {
  const files = filesOf(home)
  await removeUnfinished(home.folder)
  const made = !existsSync(files)
  if (made) await initialize(home)
  await checkVersion(home)
  return { password: await readPassword(files), made }
}

async function initialize(home: DatabaseHome): Promise<void> {
  const unfinished = join(home.folder, `unfinished-${randomUUID()}`)
  const secret = `${unfinished}.password`
  await giveFile(secret, randomBytes(24).toString('base64url'), home.runAs)
  const child = launch(home.runAs, join(home.binaries.root, 'bin', 'initdb'), [
    `--pgdata=${unfinished}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${secret}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
  ])
  const ending = await runToEnd(child)
  if (ending.code !== 0) {
    await removeUnfinished(home.folder)
    throw serverFailure('be set up', home.folder, ending.output)
  }
  await rename(secret, join(unfinished, PASSWORD))
  await syncFolder(unfinished)
  await rename(unfinished, filesOf(home))
  await syncFolder(home.folder)
}

async function giveFile(path: string, content: string, runAs: RunAs): Promise<void> {
  await writeFile(path, content, { mode: 0o600, flag: 'wx' })
  if (runAs.kind !== 'self') await chown(path, runAs.uid, runAs.gid)
}

/** What cannot be removed yet (an `initdb` that outlived its Septet is still writing) goes at the next start. */
async function removeUnfinished(folder: string): Promise<void> {
  const left = (await readdir(folder)).filter((name) => name.startsWith('unfinished-'))
  await Promise.allSettled(left.map((name) => rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 })))
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function checkVersion(home: DatabaseHome): Promise<void> {
  const files = filesOf(home)
  const found = await readFile(join(files, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (found === undefined) {
    throw new StoreError(
      'damaged',
      `${files} is no PostgreSQL data directory (PG_VERSION is missing), so Septet did not start and changed nothing. ` +
        'Restore it from a backup, move it away to start over, or name another folder with SEPTET_DATA_DIR.',
    )
  }
  if (Number.parseInt(found, 10) !== home.binaries.major) throw otherVersion(files, found.trim(), home.binaries.major)
}

function otherVersion(files: string, found: string, bundled: number): StoreError {
  return new StoreError(
    'unusable',
    `The database in ${files} was made by PostgreSQL ${found}, this Septet brings ${bundled}; nothing was changed. ` +
      `To keep the data, run a PostgreSQL ${found} on that folder, copy it with pg_dump and pg_restore into a ` +
      `PostgreSQL ${bundled}, and set DATABASE_URL to that; to start over, move the folder away.`,
  )
}

async function readPassword(files: string): Promise<string> {
  const path = join(files, PASSWORD)
  const password = await readFile(path, 'utf8').catch(() => undefined)
  if (password !== undefined) return password.trim()
  throw new StoreError(
    'damaged',
    `The database's password file ${path} is missing, so Septet cannot sign in to its own database; the data is untouched. ` +
      'Restore the file from a backup of the data directory.',
  )
}
