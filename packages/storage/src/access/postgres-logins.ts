import { instant, type LoginRequest, type LoginRequestStore } from '@septet/domain'
import { and, eq, isNull, lte } from '../drizzle.ts'

import { loginRequests } from '../access-schema.ts'
import { storableJson } from '../records/record-rows.ts'
import { storableText } from '../usage/storable.ts'
import type { AccessTables } from './access-tables.ts'
import { dateOf, exactText, soughtText } from './row-values.ts'

/** Command lines that ask for a token, one row each, for as long as they wait. */
export function postgresLogins({ db, first, run, finds, count }: AccessTables): LoginRequestStore {
  const found = (column: typeof loginRequests.id | typeof loginRequests.codeHash, text: string) =>
    first(toRequest, () =>
      db
        .select()
        .from(loginRequests)
        .where(eq(column, soughtText(text))),
    )
  return {
    create: (request) => run(() => db.insert(loginRequests).values(requestRow(request))),
    get: (id) => found(loginRequests.id, id),
    byCode: (codeHash) => found(loginRequests.codeHash, codeHash),
    decide: (id, decision) =>
      finds(() => {
        const isOpen = and(eq(loginRequests.id, soughtText(id)), isNull(loginRequests.decision))
        return db
          .update(loginRequests)
          .set({ decision: storableJson(decision) })
          .where(isOpen)
      }),
    take: (id) => finds(() => db.delete(loginRequests).where(eq(loginRequests.id, soughtText(id)))),
    prune: (now) => count(() => db.delete(loginRequests).where(lte(loginRequests.expiresAt, dateOf(now)))),
  }
}

type RequestRow = typeof loginRequests.$inferSelect

const requestRow = (request: LoginRequest): RequestRow => ({
  id: exactText(request.id),
  codeHash: exactText(request.codeHash),
  machine: storableText(request.machine),
  ip: storableText(request.ip),
  challenge: exactText(request.challenge),
  callback: request.callback === undefined ? null : storableJson(request.callback),
  role: request.role ?? null,
  decision: request.decision === undefined ? null : storableJson(request.decision),
  createdAt: dateOf(request.createdAt),
  expiresAt: dateOf(request.expiresAt),
})

const toRequest = (row: RequestRow): LoginRequest => ({
  ...row,
  callback: row.callback ?? undefined,
  role: row.role ?? undefined,
  decision: row.decision ?? undefined,
  createdAt: instant(row.createdAt.getTime()),
  expiresAt: instant(row.expiresAt.getTime()),
})
