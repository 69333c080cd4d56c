import { createHash } from 'node:crypto'
import { chown, lstat, mkdir, chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { StoreError, errorCode } from '../store-error.ts'
import type { RunAs } from './run-as.ts'

export const SOCKET_PORT = 5432
// sun_path has 108 bytes on Linux and 104 on macOS, with the closing zero. unix(7)
const LONGEST_SOCKET_PATH = 103

/** A folder that only the database's user may enter, short enough for a socket's path. */
export async function socketFolder(home: string, runAs: RunAs): Promise<string> {
  const inside = join(home, 'socket')
  if (fits(inside)) return own(inside, runAs)
  const digest = createHash('sha256').update(home).digest('hex').slice(0, 16)
  return own(join(tmpdir(), `septet-${digest}`), runAs)
}

const fits = (folder: string): boolean => Buffer.byteLength(`${folder}/.s.PGSQL.${SOCKET_PORT}`) <= LONGEST_SOCKET_PATH

async function own(folder: string, runAs: RunAs): Promise<string> {
  const uid = runAs.kind === 'self' ? process.getuid?.() : runAs.uid
  try {
    await mkdir(folder, { mode: 0o700 })
    if (runAs.kind !== 'self') await chown(folder, runAs.uid, runAs.gid)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
  const found = await lstat(folder)
  if (!found.isDirectory() || found.uid !== uid) {
    throw new StoreError(
      'unusable',
      `${folder} belongs to someone else, so Septet's own database cannot listen there. Remove it, or name a shorter ` +
        'data directory with SEPTET_DATA_DIR.',
    )
  }
  await chmod(folder, 0o700)
  return folder
}
