import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe } from 'vitest'

import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded/start-embedded-postgres.ts'
import { openPostgresStore } from './postgres-store.ts'
import { storeBehaves } from './store.suite.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

describe('the bundled PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'septet-store-'))
  let postgres: EmbeddedPostgres
  beforeAll(async () => {
    postgres = await startEmbeddedPostgres({ dataDir: folder, log: silent })
  })
  afterAll(async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true })
  })
  storeBehaves(() => openPostgresStore({ connection: postgres.connection, log: silent }))
})
