import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'

import { backupKey } from '@septet/auth/secrets'
import type { DatabasePlace } from '@septet/storage'

import { parseOptions, UsageError } from './options/command-options.ts'

type Environment = Readonly<Record<string, string | undefined>>

const WHERE = `  --data-dir DIR        data directory of Septet, with the bundled database; SEPTET_DATA_DIR if omitted
  --database-url URL    a PostgreSQL of your own; DATABASE_URL if omitted`

const BACKUP_HELP = `septet backup FILE [--data-dir DIR | --database-url URL]

Copies everything that Septet stores into one compressed file, as it is at this moment, while Septet goes on. Run it on the
machine of Septet, as the user that Septet runs as.

${WHERE}

The file holds password hashes and credentials that are encrypted with SEPTET_SECRET, or with the file secret in the data
directory, and it is signed with that secret, so that a restore finds out whether anyone changed it. Keep the secret with the
backup, in another place: without it, connected clusters have to be added again.`

const RESTORE_HELP = `septet restore FILE [--data-dir DIR | --database-url URL] [--unverified]

Puts a backup into an empty database or a new data directory: of this version or an older one, from the bundled database to
your own or back. Nothing is changed unless all of it can be restored. Set SEPTET_SECRET, or copy the file secret into the data
directory first: the backup is checked by it, and Septet has to be started with it afterwards.

${WHERE}
  --unverified          restore without that check: a backup of an older Septet, or one whose secret is lost`

/** `septet backup`. Throws a `UsageError` or a `StoreError`. */
export async function runBackup(args: readonly string[], environment: Environment): Promise<string> {
  if (args.includes('--help')) return `${BACKUP_HELP}\n`
  const { file, place, secretDir } = readWords(args, environment, BACKUP_HELP)
  const { backUp } = await openStorage()
  if (existsSync(file)) throw new UsageError(`${file} exists already. Name another file, or move that one away.`)
  // A backup that was interrupted does not look like one.
  const unfinished = `${file}.unfinished`
  try {
    const into = createWriteStream(unfinished, { mode: 0o600 })
    const key = await keyIn(secretDir, environment)
    const { tables } = await backUp(place, into, { log: silent, key })
    await rename(unfinished, file)
    const { size } = await stat(file)
    const unsigned = key === undefined ? ` It is not signed: no secret was found; set SEPTET_SECRET.` : ''
    return `Backed up ${tables} tables of ${placeName(place)} to ${file} (${(size / 1024 / 1024).toFixed(1)} MiB).${unsigned}\n`
  } finally {
    await rm(unfinished, { force: true })
  }
}

/** `septet restore`. Throws a `UsageError` or a `StoreError`. */
export async function runRestore(args: readonly string[], environment: Environment): Promise<string> {
  if (args.includes('--help')) return `${RESTORE_HELP}\n`
  const unverified = args.includes('--unverified')
  const others = args.filter((arg) => arg !== '--unverified')
  const { file, place, secretDir } = readWords(others, environment, RESTORE_HELP)
  const { restoreBackup } = await openStorage()
  if (!existsSync(file)) throw new UsageError(`There is no file ${file}.`)
  const key = await keyIn(secretDir, environment)
  const { tables } = await restoreBackup(place, createReadStream(file), { log: silent, key, unverified })
  return `Restored ${tables} tables into ${placeName(place)}. Start Septet with the secret that it had before.\n`
}

/** It comes with a server, not with the command line alone. */
const openStorage = () =>
  import('@septet/storage').catch((error: unknown) => {
    const because =
      'This command line came without what reads the database: run it where Septet is installed, in its pod ' +
      '(kubectl exec deploy/septet -- node apps/cli/src/septet.mjs backup FILE) or in its clone (npm run septet -- backup FILE).'
    throw new Error(because, { cause: error })
  })

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

function readWords(args: readonly string[], environment: Environment, help: string) {
  const [file, ...rest] = args
  if (file === undefined || file.startsWith('-')) throw new UsageError(`Name the file first.\n\n${help}`)
  const options = parseOptions(rest, { 'data-dir': { type: 'string' }, 'database-url': { type: 'string' } })
  const [url, dataDir] = [options['database-url'], options['data-dir']]
  if (url !== undefined && dataDir !== undefined) {
    throw new UsageError('Name either --data-dir or --database-url, not both.')
  }
  const secretDir = resolve(dataDir ?? environment['SEPTET_DATA_DIR'] ?? '.septet')
  return { file: resolve(file), place: placeOf(url, dataDir, environment), secretDir }
}

/** What a backup is signed with: made from the secret that Septet has, or would have. */
async function keyIn(dataDir: string, environment: Environment): Promise<Uint8Array | undefined> {
  const masterSecret = (environment['SEPTET_SECRET'] ?? '') === '' ? undefined : environment['SEPTET_SECRET']
  return backupKey({ masterSecret, dataDir })
}

function placeOf(url: string | undefined, dataDir: string | undefined, environment: Environment): DatabasePlace {
  if (url !== undefined) return { url }
  const kept = environment['DATABASE_URL'] ?? ''
  if (dataDir === undefined && kept !== '') return { url: kept }
  return { dataDir: resolve(dataDir ?? environment['SEPTET_DATA_DIR'] ?? '.septet') }
}

/** Without what opens it. */
const placeName = (place: DatabasePlace): string =>
  'dataDir' in place ? place.dataDir : `${new URL(place.url).host}${new URL(place.url).pathname}`
