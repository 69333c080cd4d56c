import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import type { Log } from '@septet/domain'

import { StoreError } from '../store-error.ts'
import { commandOf } from './process-identity.ts'

/** Fast shutdown first; then immediate shutdown, which PostgreSQL recovers from like from a crash. Never SIGKILL. */
const SIGNALS = ['SIGINT', 'SIGQUIT'] as const
const WAIT_MS = 10_000

/**
 * Ends a PostgreSQL that outlived the Septet which started it (that was killed). Only ever called by the owner of the
 * data directory, and only ends a process whose command line names these very files.
 */
export async function stopOrphan(files: string, log: Log): Promise<void> {
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
