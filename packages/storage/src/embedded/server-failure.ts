import { StoreError, type StoreErrorCode } from '../store-error.ts'

/**
 * Turns what `initdb` or `postgres` wrote before it ended into one sentence. Its messages are in English, because it is
 * started with LC_ALL=C.
 */
export function serverFailure(doing: string, folder: string, output: string): StoreError {
  const known = KNOWN.find(({ pattern }) => pattern.test(output))
  const why = known?.why ?? lastLine(output)
  const advice = known?.advice ?? `Its messages: ${output.split('\n').slice(-4).join(' | ')}`
  return new StoreError(
    known?.code ?? 'unusable',
    `Septet's own database could not ${doing} in ${folder}: ${why}. What is stored there is untouched. ${advice}`,
  )
}

const KNOWN: readonly { pattern: RegExp; code: StoreErrorCode; why: string; advice: string }[] = [
  {
    pattern: /No space left on device|Disk quota exceeded/,
    code: 'disk-full',
    why: 'the disk is full',
    advice: 'Free some space there, or name another folder with SEPTET_DATA_DIR.',
  },
  {
    pattern: /Read-only file system/,
    code: 'read-only',
    why: 'the file system is read-only',
    advice: 'Mount it writable, or name another folder with SEPTET_DATA_DIR.',
  },
  {
    pattern: /Permission denied|has invalid permissions|has wrong ownership/,
    code: 'read-only',
    why: 'the user that PostgreSQL runs as may not use the folder',
    advice: 'Name a folder that this user can reach with SEPTET_DATA_DIR, for instance under /var/lib.',
  },
  {
    pattern: /error while loading shared libraries|symbol lookup error|ENOENT/,
    code: 'unusable',
    why: 'the bundled PostgreSQL does not run on this system (it needs glibc)',
    advice: 'Set DATABASE_URL to a PostgreSQL 15 or newer.',
  },
  {
    pattern: /database files are incompatible with server/,
    code: 'unusable',
    why: 'its files were made by another version of PostgreSQL',
    advice: 'Start the version of Septet that made them, or set DATABASE_URL.',
  },
  {
    pattern: /PANIC|invalid checkpoint|could not locate a valid checkpoint|invalid page/,
    code: 'damaged',
    why: 'its files are damaged',
    advice: 'Check the disk, restore the folder from a backup, or move it away to start over.',
  },
]

const lastLine = (output: string): string => output.split('\n').at(-1)?.trim() || 'it ended without a word'
