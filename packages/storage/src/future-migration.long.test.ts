import { beforeAll, describe } from 'vitest'

import { openDatabase, type DatabaseConnection } from './connection.ts'
import { everyStoreBehaves } from './every-store.contract.ts'
import { ADDED, nextVersion } from './future-migration.fixture.ts'
import { migrate } from './migrate.ts'
import { openPostgresStore } from './postgres-store.ts'
import { startTestPostgres } from './test-postgres.fixture.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

describe('this version on a database that the next one has added to', () => {
  let connection: DatabaseConnection
  beforeAll(async () => {
    connection = await startTestPostgres()
    const database = openDatabase({ connection, log })
    const { folder, remove } = await nextVersion(() => ADDED)
    await migrate(database, { folder })
    await remove()
    await database.close()
  })
  everyStoreBehaves(() => openPostgresStore({ connection, log }))
})
