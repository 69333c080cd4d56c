import type { AccountRow, CodeRow, FlowRow } from './account-rows.ts'
import { MemoryTable } from './memory-table.ts'
import type { ChallengeRow, FactorRow, SessionRow } from './session-rows.ts'

/** Accounts and all that goes with them when they are removed. */
export type MemoryTables = {
  readonly accounts: MemoryTable<AccountRow>
  readonly sessions: MemoryTable<SessionRow>
  readonly codes: MemoryTable<CodeRow>
  readonly flows: MemoryTable<FlowRow>
  readonly factors: MemoryTable<FactorRow>
  readonly challenges: MemoryTable<ChallengeRow>
}

export const memoryTables = (): MemoryTables => ({
  accounts: new MemoryTable((row) => row.id),
  sessions: new MemoryTable((row) => row.id),
  codes: new MemoryTable((row) => row.id),
  flows: new MemoryTable((row) => row.hash),
  factors: new MemoryTable((row) => row.id),
  challenges: new MemoryTable((row) => row.id),
})
