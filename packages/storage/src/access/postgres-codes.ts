import type { CodeKind, CodeStore } from '@septet/domain'
import type { SQL } from 'drizzle-orm'
import { and, asc, desc, eq, lte, or, sql } from '../drizzle.ts'

import { mailCodes } from '../access-schema.ts'
import { byText, type AccessTables } from './access-tables.ts'
import { codeRow, toCode } from './account-rows.ts'
import { dateOf, soughtText } from './row-values.ts'

/** Codes that wait, at most one of a kind per account. */
export function postgresCodes({ db, guard, all, first, run, finds, count }: AccessTables): CodeStore {
  const found = (isIt: SQL | undefined) => db.select().from(mailCodes).where(isIt)
  return {
    put: (code) =>
      guard(async () => {
        const row = codeRow(code)
        await db.transaction(async (tx) => {
          await tx.delete(mailCodes).where(or(eq(mailCodes.hash, row.hash), ofKind(row.accountId, row.kind)))
          // Another server may have put one of this kind since: the last one counts.
          await tx
            .insert(mailCodes)
            .values(row)
            .onConflictDoUpdate({ target: [mailCodes.accountId, mailCodes.kind], set: row })
        })
      }),
    byHash: (hash) => first(toCode, () => found(eq(mailCodes.hash, soughtText(hash)))),
    ofAccount: (accountId, kind) => first(toCode, () => found(ofKind(soughtText(accountId), kind))),
    sentTo: (address, kind) =>
      all(toCode, () => {
        const isIt = and(eq(mailCodes.sentTo, soughtText(address)), eq(mailCodes.kind, kind))
        return found(isIt).orderBy(desc(mailCodes.createdAt), asc(byText(mailCodes.id)))
      }),
    countTry: (id) =>
      guard(async () => {
        const counted = await db
          .update(mailCodes)
          .set({ tries: sql`${mailCodes.tries} + 1` })
          .where(eq(mailCodes.id, soughtText(id)))
          .returning({ tries: mailCodes.tries })
        return counted[0]?.tries ?? 0
      }),
    take: (id) => finds(() => db.delete(mailCodes).where(eq(mailCodes.id, soughtText(id)))),
    removeOf: (accountId) => run(() => db.delete(mailCodes).where(eq(mailCodes.accountId, soughtText(accountId)))),
    prune: (now) => count(() => db.delete(mailCodes).where(lte(mailCodes.expiresAt, dateOf(now)))),
  }
}

const ofKind = (accountId: string, kind: CodeKind) => and(eq(mailCodes.accountId, accountId), eq(mailCodes.kind, kind))
