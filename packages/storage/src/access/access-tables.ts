import type { SQL } from 'drizzle-orm'
import { sql, drizzle } from '../drizzle.ts'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { PgColumn } from 'drizzle-orm/pg-core'

import type { Database, Query } from '../connection.ts'
import { alreadyThere, isOwnerGone, isTaken, ownerGone } from './access-failures.ts'

/** One database, asked through drizzle. */
export type AccessTables = {
  readonly db: NodePgDatabase
  /** As `Database.guard`; a refused row says why in words. */
  readonly guard: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** What a query finds, as the domain knows it. */
  readonly all: <Row, Item>(toItem: (row: Row) => Item, query: () => PromiseLike<readonly Row[]>) => Promise<Item[]>
  /** The first of it. */
  readonly first: <Row, Item>(
    toItem: (row: Row) => Item,
    query: () => PromiseLike<readonly Row[]>,
  ) => Promise<Item | undefined>
  /** Does what a statement says; nothing comes back. */
  readonly run: (statement: () => PromiseLike<unknown>) => Promise<void>
  /** How many rows a statement changed or removed. */
  readonly count: (statement: () => Statement) => Promise<number>
  /** Whether it was any. */
  readonly finds: (statement: () => Statement) => Promise<boolean>
  /** As `Database.transaction`, in words too. */
  readonly transaction: <Result>(work: (query: Query) => Promise<Result>) => Promise<Result>
}

type Statement = PromiseLike<{ readonly rowCount: number | null }>

export function accessTables(database: Database): AccessTables {
  const guard: AccessTables['guard'] = (work) => database.guard(() => inWords(work))
  const all: AccessTables['all'] = (toItem, query) => guard(async () => (await query()).map((row) => toItem(row)))
  const count = (statement: () => Statement) => guard(async () => (await statement()).rowCount ?? 0)
  return {
    db: drizzle(database.pool),
    guard,
    all,
    first: async (toItem, query) => (await all(toItem, query))[0],
    run: (statement) =>
      guard(async () => {
        await statement()
      }),
    count,
    finds: async (statement) => (await count(statement)) > 0,
    transaction: (work) => database.transaction((query) => inWords(() => work(query))),
  }
}

async function inWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (isTaken(error)) throw alreadyThere(error)
    if (isOwnerGone(error)) throw ownerGone(error)
    throw error
  }
}

/** Sorts as `compareText` does, whatever the database's language is. */
export const byText = (column: PgColumn): SQL => sql`${column} collate "C"`

/** Makes the transaction wait until every other one with this lock has ended, and see what those did. */
export async function oneAtATime(query: Query, lock: number): Promise<void> {
  // Under a stricter default the snapshot would be taken before the wait, and miss what was waited for.
  await query('set transaction isolation level read committed')
  await query('select pg_advisory_xact_lock($1)', [lock])
}
