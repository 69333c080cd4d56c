import type { Store } from '@septet/domain'

import { accessTables } from './access/access-tables.ts'
import { postgresAccess } from './access/postgres-access.ts'
import { postgresPeople } from './people/postgres-people.ts'
import { postgresAdmissions } from './actions/postgres-admissions.ts'
import { postgresActions } from './actions/postgres-actions.ts'
import { postgresAgents } from './agents/postgres-agents.ts'
import { postgresAlerts } from './alerts/postgres-alerts.ts'
import { postgresEvents } from './alerts/postgres-events.ts'
import { openDatabase, type Database, type DatabaseOptions } from './connection.ts'
import { migrate } from './migrate.ts'
import { postgresRecords } from './records/postgres-records.ts'
import { postgresUsage } from './usage/postgres-usage.ts'
import { postgresWaits } from './waits/postgres-waits.ts'

/**
 * Opens a PostgreSQL 15 or newer and brings its tables up to date. Goes on by itself after the server was away.
 * Everything it does throws `StoreError` and nothing else.
 */
export async function openPostgresStore(options: DatabaseOptions): Promise<Store> {
  const database = openDatabase(options)
  try {
    await migrate(database)
  } catch (error) {
    await database.close()
    throw error
  }
  return storeOn(database)
}

/** The store on a database whose tables are up to date. */
export function storeOn(database: Database): Store {
  const tables = accessTables(database)
  return {
    ...postgresRecords(database),
    usage: postgresUsage(database),
    waits: postgresWaits(database, tables),
    access: postgresAccess(database),
    people: postgresPeople(database),
    events: postgresEvents(tables),
    alerts: postgresAlerts(tables),
    actions: postgresActions(tables),
    admissions: postgresAdmissions(tables),
    agents: postgresAgents(database),
    ping: async () => {
      await database.query('select 1')
    },
    describe: async () => {
      const [found] = await database.query<{ version: string; bytes: string }>(
        "select current_setting('server_version') as version, pg_database_size(current_database())::text as bytes",
      )
      return { version: found?.version, bytes: found === undefined ? undefined : Number(found.bytes) }
    },
    close: () => database.close(),
  }
}
