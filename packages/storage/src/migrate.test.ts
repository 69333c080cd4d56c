import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'

import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { writeBackup } from './backup/write-backup.ts'
import { openDatabase, type Database, type DatabaseConnection } from './connection.ts'
import { ADDED, contracting, nextVersion } from './future-migration.fixture.ts'
import { floorIn, FOLDER, migrate, newestKnown, readJournal } from './migrate.ts'
import { openPostgresStore } from './postgres-store.ts'
import { startTestPostgres } from './test-postgres.fixture.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

let root: DatabaseConnection
let databases: Database
beforeAll(async () => {
  root = await startTestPostgres()
  databases = openDatabase({ connection: root, log })
})
afterAll(() => databases.close())

let count = 0
/** A database of this version. */
async function newDatabase(): Promise<{ readonly connection: DatabaseConnection; readonly database: Database }> {
  count += 1
  const connection = { ...root, database: `upgraded_${count}` }
  await databases.query(`create database ${connection.database}`)
  const database = openDatabase({ connection, log })
  onTestFinished(() => database.close())
  await migrate(database)
  return { connection, database }
}
async function folderOf(sql: (when: number) => string): Promise<string> {
  const { folder, remove } = await nextVersion(sql)
  onTestFinished(remove)
  return folder
}
const silent = { heard: () => undefined, cut: () => undefined, missed: () => undefined, refused: () => undefined }

describe('a database that a newer Septet has upgraded', () => {
  test('is used as it is where that one only added to it, also beside a server that runs', async () => {
    const { connection, database } = await newDatabase()
    const running = await openPostgresStore({ connection, log })
    const listening = await running.notices.listen(silent)
    const folder = await folderOf(() => ADDED)
    await migrate(database, { folder })
    await running.settings.put('key', 'of the one that runs')
    const started = await openPostgresStore({ connection, log })
    expect(await started.settings.get('key')).toBe('of the one that runs')
    // It does not know all the tables of the newer one.
    await expect(writeBackup(database, new PassThrough())).rejects.toMatchObject({ code: 'too-new' })
    await listening.stop()
    await Promise.all([running.close(), started.close()])
  })

  test('is refused where that one said that this one cannot use it', async () => {
    const { connection, database } = await newDatabase()
    const folder = await folderOf(contracting)
    await migrate(database, { folder })
    await expect(openPostgresStore({ connection, log })).rejects.toMatchObject({
      code: 'too-new',
      message: expect.stringContaining('in a way that this one cannot use'),
    })
    // The one after that goes on, and so does that one.
    await migrate(database, { folder })
  })

  test('is not upgraded in such a way while an older server uses it', async () => {
    const { connection, database } = await newDatabase()
    const running = await openPostgresStore({ connection, log })
    const listening = await running.notices.listen(silent)
    const folder = await folderOf(contracting)
    await expect(migrate(database, { folder })).rejects.toMatchObject({
      code: 'in-use',
      message: expect.stringContaining('An older Septet still uses the database'),
    })
    expect(await running.clusters.list()).toEqual([])
    await listening.stop()
    await migrate(database, { folder })
    await running.close()
  })

  test('is left by a server that was cut off while that happened', async () => {
    const { connection, database } = await newDatabase()
    const running = await openPostgresStore({ connection, log })
    const refusals: string[] = []
    const listening = await running.notices.listen({ ...silent, refused: ({ message }) => refusals.push(message) })
    const folder = await folderOf(contracting)
    const other = new Client(connection)
    await other.connect()
    // Its connection ends, and the newer one is there first.
    await other.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query = 'listen septet'",
    )
    await expect.poll(() => migrate(database, { folder }).then(() => 'done', String)).toBe('done')
    await expect.poll(() => refusals).toHaveLength(1)
    expect(refusals[0]).toContain('this one stopped and changed nothing')
    await other.end()
    await listening.stop()
    await running.close()
  })
})

describe('migrations', () => {
  /** Up to here every upgrade was one way. */
  const FREE_UP_TO = '0023_audit_head'
  const BREAKING = [
    /\bdrop\s+(?!default)(?:table|column|constraint|index|type|view|not)/iu,
    /\brename\b/iu,
    /(?<!create\s)\btype\b/iu,
    /\bset\s+not\s+null/iu,
    /\badd\s+column\b(?=[^;]*\bnot\s+null)(?![^;]*\bdefault\b)/iu,
    /\badd\s+constraint\b/iu,
    /\btruncate\b/iu,
  ]
  const isBreaking = (sql: string): boolean => {
    const statements = sql.replaceAll(/--(?!> statement-breakpoint).*$/gmu, '').split(';')
    return statements.some((each) => BREAKING.some((rule) => rule.test(each)))
  }

  test.each([
    ['ALTER TABLE "a" DROP COLUMN "b";', true],
    ['DROP TABLE "a";', true],
    ['ALTER TABLE "a" RENAME COLUMN "b" TO "c";', true],
    ['ALTER TABLE "a" ALTER COLUMN "b" TYPE bigint;', true],
    ['ALTER TABLE "a" ALTER COLUMN "b" SET DATA TYPE bigint;', true],
    ['ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL;', true],
    ['ALTER TABLE "a" ADD COLUMN "b" text NOT NULL;', true],
    ['ALTER TABLE "a" ADD CONSTRAINT "c" CHECK ("b" > 0);', true],
    ['ALTER TABLE "a" ADD COLUMN "b" text NOT NULL DEFAULT \'\';', false],
    ['ALTER TABLE "a" ADD COLUMN "b" text; -- and drop table nothing', false],
    [ADDED, false],
  ])('are read right: %#', (sql, breaks) => {
    expect(isBreaking(sql)).toBe(breaks)
  })

  test('only add, or say which is the oldest Septet that can use what they leave', async () => {
    const { entries } = await readJournal()
    const after = entries.slice(entries.findIndex(({ tag }) => tag === FREE_UP_TO) + 1)
    expect(after.length).toBeGreaterThan(0)
    let floor = 0
    for (const { tag, when } of after) {
      const text = await readFile(join(FOLDER, `${tag}.sql`), 'utf8')
      const said = floorIn(text)
      expect([tag, isBreaking(text) && said === 0]).toEqual([tag, false])
      if (said === 0) continue
      // One that there is, no newer than itself, and no older than was said before.
      expect(entries.map((entry) => entry.when)).toContain(said)
      expect(said).toBeLessThanOrEqual(when)
      expect(said).toBeGreaterThanOrEqual(floor)
      floor = said
    }
    expect(floor).toBeLessThanOrEqual(await newestKnown())
  })
})
