import type { CodeKind, CodeStore } from '@septet/domain'
import type { SQL } from 'drizzle-orm'
import { and, asc, desc, eq, lte, or, sql } from '../drizzle.ts'

import { mailCodes } from '../access-schema.ts'
import { known, sought } from '../rows.ts'
import { byText, type AccessTables } from './access-tables.ts'

/** Codes that wait, at most one of a kind per account. */
export function postgresCodes({ db, guard, all, first, run, finds, count }: AccessTables): CodeStore {
  const found = (isIt: SQL | undefined) => db.select().from(mailCodes).where(isIt)
  return {
    put: (code) =>
      guard(async () => {
        await db.transaction(async (tx) => {
          await tx.delete(mailCodes).where(or(eq(mailCodes.hash, code.hash), ofKind(code.accountId, code.kind)))
          // Another server may have put one of this kind since: the last one counts.
          await tx
            .insert(mailCodes)
            .values(code)
            .onConflictDoUpdate({ target: [mailCodes.accountId, mailCodes.kind], set: code })
        })
      }),
    byHash: (hash) => first(known, () => found(eq(mailCodes.hash, sought(hash)))),
    ofAccount: (accountId, kind) => first(known, () => found(ofKind(sought(accountId), kind))),
    sentTo: (address, kind) =>
      all(known, () => {
        const isIt = and(eq(mailCodes.sentTo, sought(address)), eq(mailCodes.kind, kind))
        return found(isIt).orderBy(desc(mailCodes.createdAt), asc(byText(mailCodes.id)))
      }),
    countTry: (id) =>
      guard(async () => {
        const counted = await db
          .update(mailCodes)
          .set({ tries: sql`${mailCodes.tries} + 1` })
          .where(eq(mailCodes.id, sought(id)))
          .returning({ tries: mailCodes.tries })
        return counted[0]?.tries ?? 0
      }),
    take: (id) => finds(() => db.delete(mailCodes).where(eq(mailCodes.id, sought(id)))),
    removeOf: (accountId) => run(() => db.delete(mailCodes).where(eq(mailCodes.accountId, sought(accountId)))),
    prune: (now) => count(() => db.delete(mailCodes).where(lte(mailCodes.expiresAt, now))),
  }
}

const ofKind = (accountId: string | SQL, kind: CodeKind) =>
  and(eq(mailCodes.accountId, accountId), eq(mailCodes.kind, kind))
