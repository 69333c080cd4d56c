import type { Store, StoredTables, AccessStore, ActionStore, ClusterEventStore } from '@septet/domain'
import { accessTables, type AccessTables, byText } from './access/access-tables.ts'
import { postgresPeople } from './people/postgres-people.ts'
import { postgresAdmissions } from './actions/postgres-admissions.ts'
import { postgresAgents } from './agents/postgres-agents.ts'
import { postgresLeads } from './leads/postgres-leads.ts'
import { postgresAlerts } from './alerts/postgres-alerts.ts'
import { openDatabase, type Database, type DatabaseOptions } from './connection.ts'
import { migrate } from './migrate.ts'
import { postgresNotices } from './postgres-notices.ts'
import { postgresNotes } from './records/postgres-notes.ts'
import { postgresRecords } from './records/postgres-records.ts'
import { postgresUsage } from './usage/postgres-usage.ts'
import { postgresWaits } from './waits/postgres-waits.ts'
import { postgresAccounts } from './access/postgres-accounts.ts'
import { postgresAudit, postgresMails } from './access/postgres-audit.ts'
import { postgresCodes } from './access/postgres-codes.ts'
import { postgresFactors } from './access/postgres-factors.ts'
import { postgresIdentities } from './access/postgres-identities.ts'
import { postgresLogins } from './access/postgres-logins.ts'
import { postgresKeys, postgresMembers, postgresTokens } from './access/postgres-members.ts'
import { postgresSessions } from './access/postgres-sessions.ts'
import { eq, and, desc, gte, inArray, lt, or } from './drizzle.ts'
import { actionRuns, actionStops } from './action-schema.ts'
import { stopKey } from './actions/action-rows.ts'
import { inActionTransaction } from './actions/action-transaction.ts'
import { postgresBaselines } from './actions/postgres-baselines.ts'
import { postgresRuns } from './actions/postgres-runs.ts'
import { postgresStops } from './actions/postgres-stops.ts'
import { postgresWrites } from './actions/postgres-writes.ts'
import { clusterEvents } from './alert-schema.ts'
import { rowsByColumn } from './rows-by-column.ts'
import { known } from './rows.ts'

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
    ...postgresRecords(tables),
    usage: postgresUsage(database),
    waits: postgresWaits(database, tables),
    access: postgresAccess(tables),
    people: postgresPeople(database),
    events: postgresEvents(tables),
    alerts: postgresAlerts(tables),
    actions: postgresActions(tables),
    admissions: postgresAdmissions(tables),
    agents: postgresAgents(database),
    leads: postgresLeads(database),
    notes: postgresNotes(tables),
    notices: postgresNotices(database),
    ping: async () => {
      await database.query('select 1')
    },
    describe: async () => {
      const [found] = await database.query<{ version: string; bytes: string }>(
        "select current_setting('server_version') as version, pg_database_size(current_database())::text as bytes",
      )
      return { version: found?.version, bytes: found === undefined ? undefined : Number(found.bytes) }
    },
    tables: () => tablesOf(database),
    close: () => database.close(),
  }
}

/** Parts of a table that is cut by time are tables of their own; rows are the database's estimate. */
async function tablesOf(database: Database): Promise<StoredTables> {
  const tables = await database.query<{ name: string; rows: string; bytes: string }>(
    `select relname as name, greatest(reltuples, 0)::bigint::text as rows, pg_total_relation_size(oid)::text as bytes
     from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace
     order by pg_total_relation_size(oid) desc, relname`,
  )
  const migrations = await database.query<{ at: string }>(
    'select created_at::text as at from septet_migrations order by created_at',
  )
  return {
    tables: tables.map(({ name, rows, bytes }) => ({ name, rows: Number(rows), bytes: Number(bytes) })),
    migrations: migrations.map(({ at }) => Number(at)),
  }
}

/** Who may come in, in tables of their own. What is decided once is decided by one statement or behind one lock. */
const postgresAccess = (tables: AccessTables): AccessStore => ({
  accounts: postgresAccounts(tables),
  identities: postgresIdentities(tables),
  sessions: postgresSessions(tables),
  codes: postgresCodes(tables),
  factors: postgresFactors(tables),
  keys: postgresKeys(tables),
  members: postgresMembers(tables),
  tokens: postgresTokens(tables),
  logins: postgresLogins(tables),
  audit: postgresAudit(tables),
  mails: postgresMails(tables),
})

/**
 * Runs and what happened to them. Anyone who needs several locks takes them in one order (stop orders, run, lead), so
 * that no two wait for one another.
 */
function postgresActions(tables: AccessTables): ActionStore {
  return {
    ...postgresRuns(tables),
    ...postgresBaselines(tables),
    ...postgresWrites(tables),
    ...postgresStops(tables),
    forget: (cluster) =>
      inActionTransaction(tables, async (tx) => {
        const key = stopKey(cluster)
        await tx.delete(actionStops).where(eq(actionStops.cluster, key))
        await tx.delete(actionRuns).where(eq(actionRuns.cluster, key))
      }),
  }
}

/** What happened to clusters, one row each. */
function postgresEvents({ db, all, run, count }: AccessTables): ClusterEventStore {
  const { at, id, kind, object } = clusterEvents
  return {
    add: (cluster, events) =>
      run(() => {
        const rows = events.map((event) => ({ ...event, cluster }))
        return db.insert(clusterEvents).select(rowsByColumn(clusterEvents, rows)).onConflictDoNothing()
      }),
    list: ({ cluster, objects, kinds, from, to, limit, before }) =>
      all(known, () => {
        const fits = and(
          eq(clusterEvents.cluster, cluster),
          objects && inArray(object, [...objects]),
          kinds && inArray(kind, [...kinds]),
          from === undefined ? undefined : gte(at, from),
          to === undefined ? undefined : lt(at, to),
          before && or(lt(at, before.at), and(eq(at, before.at), lt(byText(id), before.id))),
        )
        return db
          .select()
          .from(clusterEvents)
          .where(fits)
          .orderBy(desc(at), desc(byText(id)))
          .limit(limit)
      }),
    prune: (before) => count(() => db.delete(clusterEvents).where(lt(at, before))),
  }
}
