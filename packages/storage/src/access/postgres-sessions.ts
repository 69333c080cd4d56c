import type { SessionChange, SessionStore } from '@septet/domain'
import type { SQL } from 'drizzle-orm'
import { and, asc, desc, eq, lt, lte, ne, or } from '../drizzle.ts'

import { sessions } from '../access-schema.ts'
import { known, named, sought } from '../rows.ts'
import { byText, type AccessTables } from './access-tables.ts'

/** Sessions, one row each. */
export function postgresSessions({ db, all, first, run, finds, count }: AccessTables): SessionStore {
  const found = (isIt: SQL) => db.select().from(sessions).where(isIt)
  const newest = (isIt: () => SQL) =>
    all(known, () => found(isIt()).orderBy(desc(sessions.refreshedAt), asc(byText(sessions.id))))
  const change = (id: string, next: SessionChange, isIt?: SQL) =>
    first(known, () => {
      const key = sought(id)
      const columns = { ...named(next, ['accountId', 'createdAt']), id: key }
      return db
        .update(sessions)
        .set(columns)
        .where(and(eq(sessions.id, key), isIt))
        .returning()
    })
  return {
    create: (session) => run(() => db.insert(sessions).values(session)),
    get: (id) => first(known, () => found(eq(sessions.id, sought(id)))),
    ofAccount: (accountId) => newest(() => eq(sessions.accountId, sought(accountId))),
    ofProvider: (name) => newest(() => eq(sessions.providerSession, sought(name))),
    advance: (id, counter, next) => change(id, next, eq(sessions.refreshCounter, counter)),
    update: (id, next) => change(id, next),
    remove: (id) => finds(() => db.delete(sessions).where(eq(sessions.id, sought(id)))),
    removeOf: (accountId, except) =>
      count(() => {
        const others = except === undefined ? undefined : ne(sessions.id, sought(except))
        return db.delete(sessions).where(and(eq(sessions.accountId, sought(accountId)), others))
      }),
    prune: (now, staleBefore) =>
      count(() => {
        const isOver = or(lte(sessions.notAfter, now), lt(sessions.refreshedAt, staleBefore))
        return db.delete(sessions).where(isOver)
      }),
  }
}
