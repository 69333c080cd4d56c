import type { AccessStore } from '@septet/domain'

import type { Database } from '../connection.ts'
import { accessTables } from './access-tables.ts'
import { postgresAccounts } from './postgres-accounts.ts'
import { postgresAudit, postgresMails } from './postgres-audit.ts'
import { postgresCodes } from './postgres-codes.ts'
import { postgresFactors } from './postgres-factors.ts'
import { postgresIdentities } from './postgres-identities.ts'
import { postgresLogins } from './postgres-logins.ts'
import { postgresKeys, postgresMembers, postgresTokens } from './postgres-members.ts'
import { postgresSessions } from './postgres-sessions.ts'

/** Who may come in, in tables of their own. What is decided once is decided by one statement or behind one lock. */
export function postgresAccess(database: Database): AccessStore {
  const tables = accessTables(database)
  return {
    accounts: postgresAccounts(tables),
    identities: postgresIdentities(tables),
    sessions: postgresSessions(tables),
    codes: postgresCodes(tables),
    factors: postgresFactors(tables),
    keys: postgresKeys(tables),
    members: postgresMembers(tables),
    tokens: postgresTokens(tables),
    logins: postgresLogins(tables),
    audit: postgresAudit(tables),
    mails: postgresMails(tables),
  }
}
