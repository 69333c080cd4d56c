import { compareText, type SessionStore } from '@septet/domain'

import type { MemoryTables } from './memory-tables.ts'
import { dateOf, soughtText } from './row-values.ts'
import { sessionChangeRow, sessionRow, toSession, type SessionRow } from './session-rows.ts'

/** The twin of `postgresSessions`, in memory. */
export function memorySessions({ accounts, sessions }: MemoryTables): SessionStore {
  return {
    create: async (session) => {
      const row = sessionRow(session)
      sessions.insertFor(accounts.get(row.accountId), row)
    },
    get: async (id) => maybeSession(sessions.get(soughtText(id))),
    ofAccount: async (accountId) =>
      sessions
        .where((row) => row.accountId === accountId)
        .toSorted(newestFirst)
        .map(toSession),
    advance: async (id, counter, change) =>
      maybeSession(
        sessions.change(soughtText(id), sessionChangeRow(change), ({ refreshCounter }) => refreshCounter === counter),
      ),
    update: async (id, change) => maybeSession(sessions.change(soughtText(id), sessionChangeRow(change))),
    remove: async (id) => sessions.take(soughtText(id)) !== undefined,
    removeOf: async (accountId, except) =>
      sessions.removeWhere((row) => row.accountId === accountId && row.id !== except),
    prune: async (now, staleBefore) => {
      const [end, stale] = [dateOf(now), dateOf(staleBefore)]
      return sessions.removeWhere((row) => (row.notAfter !== null && row.notAfter <= end) || row.refreshedAt < stale)
    },
  }
}

const maybeSession = (row: SessionRow | undefined) => (row === undefined ? undefined : toSession(row))

const newestFirst = (a: SessionRow, b: SessionRow): number =>
  b.refreshedAt.getTime() - a.refreshedAt.getTime() || compareText(a.id, b.id)
