import type { AccessStore } from '@septet/domain'

import { memoryAccounts } from './memory-accounts.ts'
import { memoryAudit, memoryMails } from './memory-audit.ts'
import { memoryCodes, memoryFlows } from './memory-codes.ts'
import { memoryFactors } from './memory-factors.ts'
import { memoryKeys, memoryMembers, memoryTokens } from './memory-members.ts'
import { memorySessions } from './memory-sessions.ts'
import { memoryTables } from './memory-tables.ts'

/** The twin of `postgresAccess`, in memory. Each request runs to its end before the next begins. */
export function memoryAccess(): AccessStore {
  const tables = memoryTables()
  return {
    accounts: memoryAccounts(tables),
    sessions: memorySessions(tables),
    codes: memoryCodes(tables),
    flows: memoryFlows(tables),
    factors: memoryFactors(tables),
    keys: memoryKeys(),
    members: memoryMembers(),
    tokens: memoryTokens(),
    audit: memoryAudit(),
    mails: memoryMails(),
  }
}
