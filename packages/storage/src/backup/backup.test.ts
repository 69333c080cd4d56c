import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'

import { instant } from '@septet/domain'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { actionRun } from '../action-run.fixture.ts'
import { openDatabase, type DatabaseConnection, type Database } from '../connection.ts'
import { migrate } from '../migrate.ts'
import { openPostgresStore, storeOn } from '../postgres-store.ts'
import { startTestPostgres } from '../test-postgres.fixture.ts'
import { NOW, usageRow } from '../usage-row.fixture.ts'
import { readBackup, type BackupTrust } from './read-backup.ts'
import { writeBackup } from './write-backup.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

const KEY = Buffer.alloc(32, 7)
let root: DatabaseConnection
let filled: DatabaseConnection
let whole: Buffer
let count = 0

beforeAll(async () => {
  root = await startTestPostgres()
  filled = await emptyDatabase()
  const store = await openPostgresStore({ connection: filled, log })
  await store.clusters.upsert({ id: 'lab', name: 'Größe "1"\t\\ \n', kind: 'cluster', createdAt: NOW })
  // Several partitions, and more than one frame.
  for (let day = 0; day < 40; day += 1) {
    const rows = Array.from({ length: 400 }, (_, order) =>
      usageRow({ at: instant(NOW - day * 86_400_000), pod: `pod-${order}` }),
    )
    await store.usage.write('lab', rows)
  }
  await store.settings.put('policy', { words: 'as they were' })
  await store.actions.propose(actionRun('one'))
  await store.close()
  whole = await backupOf(filled)
})

async function emptyDatabase(): Promise<DatabaseConnection> {
  const database = `backup_${(count += 1)}`
  const server = openDatabase({ connection: root, log })
  await server.query(`create database ${database}`)
  await server.close()
  return { ...root, database }
}

async function using<Result>(
  connection: DatabaseConnection,
  use: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase({ connection, log })
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}

const backupOf = (connection: DatabaseConnection): Promise<Buffer> =>
  using(connection, async (database) => {
    const into = new PassThrough()
    const [file] = await Promise.all([buffer(into), writeBackup(database, into, KEY)])
    return file
  })
const restore = (connection: DatabaseConnection, file: Buffer, trust: BackupTrust = { key: KEY }) =>
  using(connection, (database) => readBackup(database, Readable.from([file]), trust))
const edited = (file: Buffer, what: string | RegExp, by: string) =>
  gzipSync(Buffer.from(contentOf(file).replaceAll(what, by), 'latin1'))
const contentOf = (file: Buffer) => gunzipSync(file).toString('latin1')

describe('a backup', () => {
  test('that is restored gives an equal backup, and a store that goes on', async () => {
    const connection = await emptyDatabase()
    await restore(connection, whole)
    expect(contentOf(await backupOf(connection)) === contentOf(whole)).toBe(true)
    const store = await openPostgresStore({ connection, log })
    onTestFinished(() => store.close())
    expect(await store.clusters.list()).toMatchObject([{ id: 'lab', name: 'Größe "1"\t\\ \n' }])
    expect(await store.settings.get('policy')).toEqual({ words: 'as they were' })
    // New words get numbers of their own, not those that are taken.
    await store.usage.write('lab', [usageRow({ at: NOW, pod: 'new' })])
    expect(await store.actions.list({ limit: 10 })).toHaveLength(1)
  })

  test('is of one instant, while others write', async () => {
    const store = await openPostgresStore({ connection: filled, log })
    onTestFinished(() => store.close())
    const into = new PassThrough({ highWaterMark: 1 })
    const writing = using(filled, (database) => writeBackup(database, into, KEY))
    await new Promise((resolve) => into.once('readable', resolve))
    await store.clusters.upsert({ id: 'later', name: 'Later', kind: 'cluster', createdAt: NOW })
    const file = await buffer(into)
    await writing
    await store.clusters.remove('later')
    expect(contentOf(file) === contentOf(whole)).toBe(true)
  })

  test('of an older Septet is brought to this version', async () => {
    const [old, next] = [await emptyDatabase(), await emptyDatabase()]
    const [, second = 0] = await using(old, async (database) => {
      await migrate(database)
      const rows = await database.query<{ at: string }>('select created_at as at from septet_migrations order by id')
      return rows.map(({ at }) => Number(at))
    })
    const older = await emptyDatabase()
    await using(older, async (database) => {
      await migrate(database, { until: second })
      await database.query(`insert into settings (key, value) values ('kept', '{"yes":true}')`)
    })
    await restore(next, await backupOf(older))
    const store = await openPostgresStore({ connection: next, log })
    onTestFinished(() => store.close())
    expect(await store.settings.get('kept')).toEqual({ yes: true })
    expect(await store.actions.list({ limit: 1 })).toEqual([])
  })
})

test('a token from before accounts were kept with it is of the account that had its address then', async () => {
  const connection = await emptyDatabase()
  const found = await using(connection, async (database) => {
    await migrate(database, { until: KNOWN_BY_NAME })
    const [long, late] = ['2026-01-01', '2026-03-01']
    await database.query(
      `insert into accounts (id, email, app_metadata, user_metadata, mail_sent_at, created_at, updated_at)
       select id, id || '@x.test', '{}', '{}', '{}', at::timestamptz, at::timestamptz
       from (values ('ann', '${long}'), ('eve', '${late}')) as made (id, at)`,
    )
    await database.query(
      `insert into api_tokens (id, name, prefix, hash, role, created_by, created_at)
       select by, by, 'spt_', by, 'viewer', by || '@x.test', '2026-02-01' from unnest(array['ann', 'eve', 'gone']) as by`,
    )
    await migrate(database)
    return database.query('select id, account from api_tokens order by id')
  })
  expect(found).toEqual([
    { id: 'ann', account: 'ann' },
    { id: 'eve', account: null },
    { id: 'gone', account: null },
  ])
})

/** The date of the last migration in which tokens were of an address alone. */
const KNOWN_BY_NAME = 1_796_000_400_000

const relationsIn = (connection: DatabaseConnection) =>
  using(connection, async (database) => {
    const found = await database.query("select relname from pg_class where relnamespace = 'public'::regnamespace")
    return found
  })

describe('nothing is changed, and one sentence says why,', () => {
  test.each<[string, (file: Buffer) => Buffer, string]>([
    ['no backup', () => Buffer.from('PGDMP'), 'not a backup of Septet'],
    ['another file', () => gzipSync('{"kind":"other"}\n'), 'not a backup of Septet'],
    ['one that is cut off', (file) => file.subarray(0, file.length / 2), 'cut off or damaged'],
    ['one without its end', (file) => gzipSync(gunzipSync(file).subarray(0, -200)), 'cut off or damaged'],
    ['one without its signature', (file) => gzipSync(gunzipSync(file).subarray(0, -65)), 'cut off or damaged'],
    ['one in which something was changed', (file) => edited(file, 'as they were', 'as they are!'), 'was changed after'],
    [
      'one whose head says that it is not signed',
      (file) => edited(file, '"signed":true', '"signed":false'),
      'not signed',
    ],
    [
      'one of a newer Septet',
      (file) =>
        gzipSync(
          gunzipSync(file)
            .toString('latin1')
            .replaceAll(/"migration":\d+/gu, '"migration":9999999999999'),
        ),
      'made by a newer Septet',
    ],
    [
      'one that names the tables of others',
      (file) => edited(file, '"name":"settings"', '"name":"theirs"'),
      'tables that Septet does not have',
    ],
    [
      'one that would run SQL',
      (file) => edited(file, 'FOR VALUES', '; drop table x; FOR VALUES'),
      'not a backup of Septet',
    ],
  ])('for %s', async (_what, change, words) => {
    const connection = await emptyDatabase()
    await expect(restore(connection, change(whole))).rejects.toThrow(words)
    expect(await relationsIn(connection)).toEqual([])
    await restore(connection, whole)
  })

  test('where the secret is another one or not known, unless that is wanted', async () => {
    const connection = await emptyDatabase()
    await expect(restore(connection, whole, { key: Buffer.alloc(32, 8) })).rejects.toThrow('made with another secret')
    await expect(restore(connection, whole, {})).rejects.toThrow('set SEPTET_SECRET')
    expect(await relationsIn(connection)).toEqual([])
    await restore(connection, edited(whole, 'as they were', 'as they are!'), { unverified: true })
  })

  test('for a database that holds data, or that a Septet uses', async () => {
    await expect(restore(filled, whole)).rejects.toThrow('holds data of Septet already')
    const connection = await emptyDatabase()
    const store = storeOn(openDatabase({ connection, log }))
    onTestFinished(() => store.close())
    await store.ping()
    await expect(restore(connection, whole)).rejects.toThrow('A Septet uses the database')
  })

  test('for a database that no Septet has used', async () => {
    const connection = await emptyDatabase()
    await expect(using(connection, (database) => writeBackup(database, new PassThrough()))).rejects.toThrow(
      'holds nothing of Septet',
    )
  })
})
