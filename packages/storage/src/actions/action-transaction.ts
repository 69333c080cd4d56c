import type { Fence } from '@septet/domain'
import { and, eq, isNotNull } from '../drizzle.ts'

import type { AccessTables } from '../access/access-tables.ts'
import { actionRuns, leads } from '../action-schema.ts'
import { storableText } from '../usage/storable.ts'
import type { RunRow } from './action-rows.ts'

export type Transaction = Parameters<Parameters<AccessTables['db']['transaction']>[0]>[0]

/** All or nothing; each statement sees what was committed before it, whatever the database's default is. */
export const inActionTransaction = <Result>(
  { db, guard }: AccessTables,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> => guard(() => db.transaction(work, { isolationLevel: 'read committed' }))

/** The run, which nobody else changes until the transaction ends. */
export async function lockedRun(tx: Transaction, run: string): Promise<RunRow | undefined> {
  const found = await tx.select().from(actionRuns).where(eq(actionRuns.id, run)).for('no key update')
  return found[0]
}

/** Whether the lead is held and is one of this cluster. Nobody takes it until the transaction ends. */
export async function isHeld(tx: Transaction, fence: Fence, cluster: string): Promise<boolean> {
  if (storableText(fence.cluster) !== cluster) return false
  const isIt = and(eq(leads.cluster, cluster), eq(leads.token, fence.token), isNotNull(leads.holder))
  const found = await tx.select().from(leads).where(isIt).for('key share')
  return found.length > 0
}
