import type { Fence } from '@septet/domain'
import { and, eq, isNotNull } from '../drizzle.ts'

import type { AccessTables } from '../access/access-tables.ts'
import { actionActors, actionRuns } from '../action-schema.ts'
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

/** Whether the fence is held and is one of this cluster. Nobody takes it over until the transaction ends. */
export async function isHeld(tx: Transaction, fence: Fence, cluster: string): Promise<boolean> {
  if (storableText(fence.cluster) !== cluster) return false
  const found = await tx.select().from(actionActors).where(heldByAction(fence)).for('share')
  return found.length > 0
}

export const heldByAction = ({ cluster, token }: Fence) =>
  and(eq(actionActors.cluster, cluster), eq(actionActors.token, token), isNotNull(actionActors.holder))
