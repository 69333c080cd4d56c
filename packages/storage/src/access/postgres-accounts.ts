import type { AccountStore } from '@septet/domain'
import type { SQL } from 'drizzle-orm'
import { asc, desc, eq, sql } from '../drizzle.ts'

import { accounts } from '../access-schema.ts'
import { known, named, sought } from '../rows.ts'
import { storableText } from '../usage/storable.ts'
import { isTaken } from './access-failures.ts'
import { byText, type AccessTables } from './access-tables.ts'

/** Accounts, one row each; their addresses are unique by an index, and what belongs to them goes with them. */
export function postgresAccounts({ db, guard, first, finds }: AccessTables): AccountStore {
  const found = (isIt: SQL) => db.select().from(accounts).where(isIt)
  return {
    create: (account) =>
      guard(async () => {
        const made = await db
          .insert(accounts)
          .values(account)
          .onConflictDoNothing({ target: accounts.email })
          .returning({ id: accounts.id })
        return made.length > 0
      }),
    get: (id) => first(known, () => found(eq(accounts.id, sought(id)))),
    byEmail: (email) => first(known, () => found(eq(accounts.email, sought(email)))),
    list: ({ page, perPage, filter = '' }) =>
      guard(async () => {
        const fits = sql`strpos(${accounts.email}, ${storableText(filter)}) > 0`
        const rows = await found(fits)
          .orderBy(desc(accounts.createdAt), asc(byText(accounts.id)))
          .limit(perPage)
          .offset((page - 1) * perPage)
        return { accounts: rows.map(known), total: await db.$count(accounts, fits) }
      }),
    update: (id, change) =>
      guard(async () => {
        const key = sought(id)
        // The id as it is, because a statement must name something, also when the change does not.
        const columns = { ...named(change, ['createdAt']), id: key }
        try {
          const changed = await db.update(accounts).set(columns).where(eq(accounts.id, key)).returning()
          return changed.map(known)[0]
        } catch (error) {
          if (isTaken(error)) return 'taken'
          throw error
        }
      }),
    remove: (id) => finds(() => db.delete(accounts).where(eq(accounts.id, sought(id)))),
  }
}
