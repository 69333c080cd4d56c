import { cp, lstat, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { StoreError, errorCode } from '../store-error.ts'
import type { Binaries } from './find-binaries.ts'

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
