import { instant, type ExternalIdentity, type IdentityStore } from '@septet/domain'
import type { SQL } from 'drizzle-orm'
import { and, eq } from '../drizzle.ts'

import { externalIdentities } from '../access-schema.ts'
import type { AccessTables } from './access-tables.ts'
import { dateOf, exactText, soughtText } from './row-values.ts'

/** Who accounts are to a sign-in provider; an issuer's subject has one account, by the table's key. */
export function postgresIdentities({ db, guard, all, first }: AccessTables): IdentityStore {
  const found = (isIt: SQL | undefined) => db.select().from(externalIdentities).where(isIt)
  return {
    add: (identity) =>
      guard(async () => {
        const row = {
          issuer: exactText(identity.issuer),
          subject: exactText(identity.subject),
          accountId: exactText(identity.accountId),
          createdAt: dateOf(identity.createdAt),
        }
        const made = await db
          .insert(externalIdentities)
          .values(row)
          .onConflictDoNothing()
          .returning({ subject: externalIdentities.subject })
        return made.length > 0
      }),
    find: (issuer, subject) =>
      first(toIdentity, () => {
        const isIssuer = eq(externalIdentities.issuer, soughtText(issuer))
        const isSubject = eq(externalIdentities.subject, soughtText(subject))
        return found(and(isIssuer, isSubject))
      }),
    ofAccount: (accountId) => all(toIdentity, () => found(eq(externalIdentities.accountId, soughtText(accountId)))),
  }
}

const toIdentity = (row: typeof externalIdentities.$inferSelect): ExternalIdentity => ({
  ...row,
  createdAt: instant(row.createdAt.getTime()),
})
