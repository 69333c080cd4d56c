import type { SessionStore } from '@septet/domain'
import { and, asc, desc, eq, lt, lte, ne, or } from 'drizzle-orm'

import { sessions } from '../access-schema.ts'
import { byText, type AccessTables } from './access-tables.ts'
import { dateOf, soughtText } from './row-values.ts'
import { sessionChangeRow, sessionRow, toSession } from './session-rows.ts'

/** Sessions, one row each. */
export function postgresSessions({ db, guard }: AccessTables): SessionStore {
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
    remove: (id) =>
      guard(async () => {
        const gone = await db.delete(sessions).where(eq(sessions.id, soughtText(id)))
        return (gone.rowCount ?? 0) > 0
      }),
    removeOf: (accountId, except) =>
      guard(async () => {
        const others = except === undefined ? undefined : ne(sessions.id, soughtText(except))
        const gone = await db.delete(sessions).where(and(eq(sessions.accountId, soughtText(accountId)), others))
        return gone.rowCount ?? 0
      }),
    prune: (now, staleBefore) =>
      guard(async () => {
        const isOver = or(lte(sessions.notAfter, dateOf(now)), lt(sessions.refreshedAt, dateOf(staleBefore)))
        const gone = await db.delete(sessions).where(isOver)
        return gone.rowCount ?? 0
      }),
  }
}
