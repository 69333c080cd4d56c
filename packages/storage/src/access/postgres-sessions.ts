import type { SessionStore } from '@septet/domain'
import { and, asc, desc, eq, lt, lte, ne, or } from '../drizzle.ts'

import { sessions } from '../access-schema.ts'
import { byText, type AccessTables } from './access-tables.ts'
import { dateOf, soughtText } from './row-values.ts'
import { sessionChangeRow, sessionRow, toSession } from './session-rows.ts'

/** Sessions, one row each. */
export function postgresSessions({ db, guard, finds, count }: AccessTables): SessionStore {
  return {
    create: (session) =>
      guard(async () => {
        await db.insert(sessions).values(sessionRow(session))
      }),
    get: (id) =>
      guard(async () => {
        const found = await db
          .select()
          .from(sessions)
          .where(eq(sessions.id, soughtText(id)))
        return found.map(toSession)[0]
      }),
    ofAccount: (accountId) =>
      guard(async () => {
        const found = await db
          .select()
          .from(sessions)
          .where(eq(sessions.accountId, soughtText(accountId)))
          .orderBy(desc(sessions.refreshedAt), asc(byText(sessions.id)))
        return found.map(toSession)
      }),
    advance: (id, counter, change) =>
      guard(async () => {
        const key = soughtText(id)
        const changed = await db
          .update(sessions)
          .set({ id: key, ...sessionChangeRow(change) })
          .where(and(eq(sessions.id, key), eq(sessions.refreshCounter, counter)))
          .returning()
        return changed.map(toSession)[0]
      }),
    update: (id, change) =>
      guard(async () => {
        const key = soughtText(id)
        const changed = await db
          .update(sessions)
          .set({ id: key, ...sessionChangeRow(change) })
          .where(eq(sessions.id, key))
          .returning()
        return changed.map(toSession)[0]
      }),
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
