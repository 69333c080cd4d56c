import type { SessionChange, SessionStore } from '@septet/domain'
import type { SQL } from 'drizzle-orm'
import { and, asc, desc, eq, lt, lte, ne, or } from '../drizzle.ts'

import { sessions } from '../access-schema.ts'
import { byText, type AccessTables } from './access-tables.ts'
import { dateOf, soughtText } from './row-values.ts'
import { sessionChangeRow, sessionRow, toSession } from './session-rows.ts'

/** Sessions, one row each. */
export function postgresSessions({ db, all, first, run, finds, count }: AccessTables): SessionStore {
  const found = (isIt: SQL) => db.select().from(sessions).where(isIt)
  const newest = (isIt: () => SQL) =>
    all(toSession, () => found(isIt()).orderBy(desc(sessions.refreshedAt), asc(byText(sessions.id))))
  const change = (id: string, next: SessionChange, isIt?: SQL) =>
    first(toSession, () => {
      const key = soughtText(id)
      const columns = { id: key, ...sessionChangeRow(next) }
      return db
        .update(sessions)
        .set(columns)
        .where(and(eq(sessions.id, key), isIt))
        .returning()
    })
  return {
    create: (session) => run(() => db.insert(sessions).values(sessionRow(session))),
    get: (id) => first(toSession, () => found(eq(sessions.id, soughtText(id)))),
    ofAccount: (accountId) => newest(() => eq(sessions.accountId, soughtText(accountId))),
    ofProvider: (name) => newest(() => eq(sessions.providerSession, soughtText(name))),
    advance: (id, counter, next) => change(id, next, eq(sessions.refreshCounter, counter)),
    update: (id, next) => change(id, next),
    remove: (id) => finds(() => db.delete(sessions).where(eq(sessions.id, soughtText(id)))),
    removeOf: (accountId, except) =>
      count(() => {
        const others = except === undefined ? undefined : ne(sessions.id, soughtText(except))
        return db.delete(sessions).where(and(eq(sessions.accountId, soughtText(accountId)), others))
      }),
    prune: (now, staleBefore) =>
      count(() => {
        const isOver = or(lte(sessions.notAfter, dateOf(now)), lt(sessions.refreshedAt, dateOf(staleBefore)))
        return db.delete(sessions).where(isOver)
      }),
  }
}
