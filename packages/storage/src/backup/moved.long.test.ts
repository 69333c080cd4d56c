import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { systemTool, without } from '../../../../test/system-tools.ts'
import { startEmbeddedPostgres } from '../embedded/start-embedded-postgres.ts'
import { startPostgres15, tell, type OwnPostgres } from '../own-postgres.fixture.ts'
import { openPostgresStore } from '../postgres-store.ts'
import { NOW, usageRow } from '../usage-row.fixture.ts'
import { backUp, restoreBackup, type DatabasePlace } from './back-up.ts'

const KEY = Buffer.alloc(32, 7)
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const postgres15 = systemTool('../lib/postgresql/15/bin/postgres', 'postgresql-15')

async function backupOf(place: DatabasePlace): Promise<Buffer> {
  const into = new PassThrough()
  const [file] = await Promise.all([buffer(into), backUp(place, into, { log, key: KEY })])
  return file
}
const isEqual = (a: Buffer, b: Buffer): boolean => gunzipSync(a).equals(gunzipSync(b))

describe.skipIf(postgres15 === undefined)(`a move${without(postgres15, 'PostgreSQL 15', 'postgresql-15')}`, () => {
  let server: OwnPostgres
  let [first, second] = ['', '']
  beforeAll(async () => {
    ;[first, second] = [mkdtempSync(join(tmpdir(), 'septet-from-')), mkdtempSync(join(tmpdir(), 'septet-to-'))]
    server = await startPostgres15(postgres15 ?? '')
    await tell(server.url(), 'create database moved')
  })
  afterAll(async () => {
    await server.stop()
    for (const dataDir of [first, second]) rmSync(dataDir, { recursive: true, maxRetries: 20, retryDelay: 100 })
  })

  test('from the bundled database, which runs meanwhile, to a PostgreSQL 15 and back loses nothing', async () => {
    const bundled = await startEmbeddedPostgres({ dataDir: first, log })
    const store = await openPostgresStore({ connection: bundled.connection, log })
    await store.usage.write('lab', [usageRow({ at: NOW, pod: 'kept' })])
    const file = await backupOf({ dataDir: first })
    await expect(restoreBackup({ dataDir: first }, Readable.from([file]), { log, key: KEY })).rejects.toMatchObject({
      code: 'in-use',
    })
    await store.close()
    await bundled.stop()
    expect(isEqual(await backupOf({ dataDir: first }), file)).toBe(true)

    const own = { url: server.url('moved') }
    await restoreBackup(own, Readable.from([file]), { log, key: KEY })
    const moved = await backupOf(own)
    expect(isEqual(moved, file)).toBe(true)

    await restoreBackup({ dataDir: second }, Readable.from([moved]), { log, key: KEY })
    expect(isEqual(await backupOf({ dataDir: second }), file)).toBe(true)
  })

  test('needs a database to begin with', () =>
    expect(backupOf({ dataDir: join(first, 'nowhere') })).rejects.toThrow('There is no database in'))
})
