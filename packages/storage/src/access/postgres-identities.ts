import type { IdentityStore } from '@septet/domain'
import type { SQL } from 'drizzle-orm'
import { and, eq } from '../drizzle.ts'

import { externalIdentities } from '../access-schema.ts'
import { known, sought } from '../rows.ts'
import type { AccessTables } from './access-tables.ts'

/** Who accounts are to a sign-in provider; an issuer's subject has one account, by the table's key. */
export function postgresIdentities({ db, guard, all, first }: AccessTables): IdentityStore {
  const found = (isIt: SQL | undefined) => db.select().from(externalIdentities).where(isIt)
  return {
    add: (identity) =>
      guard(async () => {
        const made = await db
          .insert(externalIdentities)
          .values(identity)
          .onConflictDoNothing()
          .returning({ subject: externalIdentities.subject })
        return made.length > 0
      }),
    find: (issuer, subject) =>
      first(known, () => {
        const isIssuer = eq(externalIdentities.issuer, sought(issuer))
        const isSubject = eq(externalIdentities.subject, sought(subject))
        return found(and(isIssuer, isSubject))
      }),
    ofAccount: (accountId) => all(known, () => found(eq(externalIdentities.accountId, sought(accountId)))),
  }
}
