import type { Store } from '@septet/domain'
import { onTestFinished, TestRunner } from 'vitest'

import { openDatabase, type DatabaseConnection, type Database } from './connection.ts'
import { openPostgresStore, storeOn } from './postgres-store.ts'
import { StoreError } from './store-error.ts'
import { startTestPostgres } from './test-postgres.fixture.ts'

const TEMPLATE = 'septet_template'
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

type Server = {
  readonly connection: DatabaseConnection
  readonly databases: Database
  /** Databases that nobody uses, empty and with connections that are open already. */
  readonly free: TestDatabase[]
}
type TestDatabase = Database & { readonly connection: DatabaseConnection }

/** `connection`: for anyone who opens the same store a second time, as threads do. */
export type TestStore = Store & {
  readonly connection: DatabaseConnection
  /** Ends the connections that listen on its database, as a failover does. */
  readonly cutListeners: () => Promise<void>
}

let server: Promise<Server> | undefined
let count = 0

/**
 * An empty store on a PostgreSQL that all tests of this process share; no two open stores share a database. It is closed
 * when the test that opened it has ended, after its `afterEach`; one opened outside a test is closed by who opened it.
 */
export async function openTestStore(): Promise<TestStore> {
  const running = await (server ??= startServer())
  const database = running.free.pop() ?? (await copyTemplate(running))
  const { connection } = database
  const cutListeners = async (): Promise<void> => {
    await database.query(CUT)
  }
  const store = { ...storeOn(lend(database, () => running.free.push(database))), connection, cutListeners }
  if (TestRunner.getCurrentTest() !== undefined) onTestFinished(() => store.close())
  return store
}

const CUT = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and query in ('listen septet', 'select 1') and pid <> pg_backend_pid()`

async function startServer(): Promise<Server> {
  const connection = await startTestPostgres()
  const databases = openDatabase({ connection, log })
  await databases.query(`create database ${TEMPLATE}`)
  await (await openPostgresStore({ connection: { ...connection, database: TEMPLATE }, log })).close()
  return { connection, databases, free: [] }
}

async function copyTemplate({ connection: root, databases }: Server): Promise<TestDatabase> {
  const database = `test_${(count += 1)}`
  // As files: half the work of writing every page to the log.
  await databases.query(`create database ${database} template ${TEMPLATE} strategy file_copy`)
  const connection = { ...root, database }
  const lent = openDatabase({ connection, log })
  // What tests draw beside it takes turns of seconds on a busy machine.
  lent.pool.options.connectionTimeoutMillis = 60_000
  return { ...lent, connection }
}

/** A database for one test. What the test left running must not reach into the next: whoever asks later is refused. */
function lend(database: Database, onFree: () => void): Database {
  const asking = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined
  const whileOpen = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (closing !== undefined) throw new StoreError('closed', 'The test that this store was for has ended.')
    const answer = work()
    asking.add(answer)
    try {
      return await answer
    } finally {
      asking.delete(answer)
    }
  }
  const close = async (): Promise<void> => {
    await Promise.allSettled(asking)
    await database.query(EMPTY)
    onFree()
  }
  return {
    ...database,
    query: (text, values) => whileOpen(() => database.query(text, values)),
    transaction: (work) => whileOpen(() => database.transaction(work)),
    guard: (work) => whileOpen(() => database.guard(work)),
    close: () => (closing ??= close()),
  }
}

/**
 * Makes a database as the template is, at a fraction of the work of another copy. Rows are deleted and not truncated,
 * which would make new files for every table and index.
 */
const EMPTY = `
  do $$
  declare
    each record;
  begin
    -- Otherwise the order of the tables would matter to their foreign keys.
    perform set_config('session_replication_role', 'replica', true);
    alter table audit_entries disable trigger audit_entries_are_only_added;
    for each in
      select oid::regclass as name, relispartition from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'septet_migrations'
    loop
      if each.relispartition then
        execute format('drop table %s', each.name);
      else
        execute format('delete from %s', each.name);
      end if;
    end loop;
    alter table audit_entries enable always trigger audit_entries_are_only_added;
  end $$`
