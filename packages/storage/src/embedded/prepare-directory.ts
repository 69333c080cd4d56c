import { errorText } from '@septet/domain/words'
import { randomUUID } from 'node:crypto'
import { chown, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { StoreError, errorCode } from '../store-error.ts'
import type { RunAs } from './run-as.ts'

/** Enough to tell a full disk from one with room for a little work. */
const PROBE_BYTES = 1024 * 1024

/** Makes the data directory where it is missing and proves that it takes data. Throws one sentence where it does not. */
export async function prepareDataDirectory(dataDir: string): Promise<void> {
  const probe = join(dataDir, `.probe-${randomUUID()}`)
  try {
    // Others may walk through (the database runs as another user when Septet is root) but not look.
    await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
    await writeProbe(probe)
  } catch (error) {
    throw directoryError(dataDir, error)
  } finally {
    await rm(probe, { force: true }).catch(() => undefined)
  }
}

/** Makes the folder that belongs to the database alone. */
export async function prepareDatabaseFolder(folder: string, runAs: RunAs): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (runAs.kind !== 'self') await chown(folder, runAs.uid, runAs.gid)
}

async function writeProbe(path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(Buffer.alloc(PROBE_BYTES))
    await file.sync()
  } finally {
    await file.close()
  }
}

const ADVICE: Readonly<Record<string, { code: 'disk-full' | 'read-only'; what: string; advice: string }>> = {
  ENOSPC: { code: 'disk-full', what: 'is full', advice: 'Free some space there' },
  EDQUOT: { code: 'disk-full', what: 'is over its quota', advice: 'Free some space there' },
  EROFS: { code: 'read-only', what: 'is on a read-only file system', advice: 'Mount it writable' },
  EACCES: { code: 'read-only', what: 'may not be written by this user', advice: 'Change its owner or rights' },
  EPERM: { code: 'read-only', what: 'may not be written by this user', advice: 'Change its owner or rights' },
}

function directoryError(dataDir: string, error: unknown): StoreError {
  const known = ADVICE[errorCode(error)]
  if (known === undefined) {
    return new StoreError(
      'unusable',
      `The data directory ${dataDir} cannot be used (${errorText(error)}), so Septet did not start. ` +
        'Name another with SEPTET_DATA_DIR, or set DATABASE_URL.',
      error,
    )
  }
  return new StoreError(
    known.code,
    `The data directory ${dataDir} ${known.what}, so Septet did not start; what is stored there is untouched. ` +
      `${known.advice}, or name another folder with SEPTET_DATA_DIR.`,
    error,
  )
}
