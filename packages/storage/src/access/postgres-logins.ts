import type { LoginRequestStore } from '@septet/domain'
import { and, eq, isNull, lte } from '../drizzle.ts'

import { loginRequests } from '../access-schema.ts'
import { known, sought } from '../rows.ts'
import type { AccessTables } from './access-tables.ts'

/** Command lines that ask for a token, one row each, for as long as they wait. */
export function postgresLogins({ db, first, run, finds, count }: AccessTables): LoginRequestStore {
  const found = (column: typeof loginRequests.id | typeof loginRequests.codeHash, text: string) =>
    first(known, () =>
      db
        .select()
        .from(loginRequests)
        .where(eq(column, sought(text))),
    )
  return {
    create: (request) => run(() => db.insert(loginRequests).values(request)),
    get: (id) => found(loginRequests.id, id),
    byCode: (codeHash) => found(loginRequests.codeHash, codeHash),
    decide: (id, decision) =>
      finds(() => {
        const isOpen = and(eq(loginRequests.id, sought(id)), isNull(loginRequests.decision))
        return db.update(loginRequests).set({ decision }).where(isOpen)
      }),
    take: (id) => finds(() => db.delete(loginRequests).where(eq(loginRequests.id, sought(id)))),
    prune: (now) => count(() => db.delete(loginRequests).where(lte(loginRequests.expiresAt, now))),
  }
}
