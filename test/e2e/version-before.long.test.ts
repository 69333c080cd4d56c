import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

import { openPostgresStore, startEmbeddedPostgres } from '@septet/storage'
import { describe, expect, onTestFinished, test } from 'vitest'

import { databaseUrl } from '../database-url.ts'
import { root } from '../imports.ts'
import { eventually, newDataDir, refusedSeptet, removeDataDir, signIn, startSeptet } from '../server-process.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

const git = (...words: string[]): string | undefined => {
  const { status, stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** The commit before the newest migration, or why it cannot be had. */
function versionBefore(): { readonly commit: string; readonly adds: boolean } | { readonly because: string } {
  const newest = git('log', '-1', '--diff-filter=A', '--format=%H', '--', 'packages/storage/migrations/*.sql')
  const before = newest === undefined || newest === '' ? undefined : git('rev-parse', '--verify', `${newest}^`)
  if (newest === undefined || before === undefined) return { because: 'the history of the code is not here' }
  const knew = git('show', `${before}:packages/storage/src/migrate.ts`) ?? ''
  if (!knew.includes('schema_floor'))
    return { because: 'the version before the newest migration refuses any newer one' }
  const added = git('diff', '--name-only', '--diff-filter=A', before, newest, '--', 'packages/storage/migrations/*.sql')
  const texts = (added ?? '').split('\n').map((file) => readFileSync(join(root, file), 'utf8'))
  const floors = texts.flatMap((text) => /^insert into "schema_floor".*\((\d+)\)/imu.exec(text)?.[1] ?? [])
  const journal: { readonly entries: readonly { readonly when: number }[] } = JSON.parse(
    git('show', `${before}:packages/storage/migrations/meta/_journal.json`) ?? '{"entries":[]}',
  )
  const known = Math.max(...journal.entries.map(({ when }) => when))
  return { commit: before, adds: floors.every((oldest) => Number(oldest) <= known) }
}

/** Its files, with the packages that are installed here. */
function checkOut(commit: string, folder: string): void {
  execFileSync('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, folder], { cwd: root })
  link(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const kind of ['packages', 'apps']) {
    for (const name of readdirSync(join(folder, kind))) {
      const own = join(root, kind, name, 'node_modules')
      if (spawnSync('test', ['-d', own]).status === 0) link(own, join(folder, kind, name, 'node_modules'))
    }
  }
}

function link(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    if (name === '@septet') linkOwn(join(from, name), join(to, name))
    else symlinkSync(join(from, name), join(to, name))
  }
}

/** They lead to the packages of the checkout that they are in. */
function linkOwn(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) symlinkSync(readlinkSync(join(from, name)), join(to, name))
}

const found = versionBefore()
const before = 'because' in found ? undefined : found
const notRun = 'because' in found ? ` (not run: ${found.because})` : ''

/** Its settings, and a store of this version on the database that they name. */
async function openBoth() {
  const folder = await newDataDir()
  const placeOf = (name: string): string => {
    mkdirSync(join(folder, name))
    return join(folder, name)
  }
  const checkout = placeOf('checkout')
  checkOut(before?.commit ?? '', checkout)
  const postgres = await startEmbeddedPostgres({ dataDir: placeOf('store'), log: silent })
  const newest = await openPostgresStore({ connection: postgres.connection, log: silent })
  onTestFinished(async () => {
    await newest.close()
    await postgres.stop()
    await removeDataDir(folder)
  })
  const address = databaseUrl(postgres.connection)
  const environment = { DATABASE_URL: address, SEPTET_SECRET: 'the same thirty-two characters or more' }
  return { newest, settings: { dataDir: placeOf('data'), checkout, environment } }
}

describe.skipIf(before === undefined)(`the version before the newest migration${notRun}`, () => {
  test.skipIf(before?.adds === false)('runs on the database of this one', async () => {
    const { newest, settings } = await openBoth()
    const septet = await startSeptet(settings)
    const headers = await signIn(septet)
    const summary = await eventually(
      async () => (await fetch(`${septet.url}/api/v1/summary`, { headers })).json(),
      (told) => typeof told === 'object' && told !== null && 'asOf' in told && told.asOf !== null,
    )
    expect(summary).toMatchObject({ source: { kind: 'demo' } })
    await eventually(
      () => newest.usage.coverage('demo', '5m'),
      (stored) => stored !== undefined,
    )
    expect(await septet.stop()).toBe(0)
    expect(septet.errors()).not.toContain('refused a request')
  })

  test.skipIf(before?.adds !== false)('is refused in a sentence, as this one says that it cannot use it', async () => {
    const { settings } = await openBoth()
    const { code, errors } = await refusedSeptet(settings)
    expect([code, errors]).toEqual([1, expect.stringContaining('in a way that this one cannot use')])
  })
})
