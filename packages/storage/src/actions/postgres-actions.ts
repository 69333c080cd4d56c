import type { ActionStore } from '@septet/domain'
import { eq } from '../drizzle.ts'

import type { AccessTables } from '../access/access-tables.ts'
import { actionActors, actionRuns, actionStops } from '../action-schema.ts'
import { stopKey } from './action-rows.ts'
import { inActionTransaction } from './action-transaction.ts'
import { postgresActors } from './postgres-actors.ts'
import { postgresBaselines } from './postgres-baselines.ts'
import { postgresRuns } from './postgres-runs.ts'
import { postgresWrites } from './postgres-writes.ts'

/**
 * Runs and what happened to them. Whoever needs several locks takes them in one order (stop orders, run, actor), so that
 * no two wait for one another.
 */
export function postgresActions(tables: AccessTables): ActionStore {
  return {
    ...postgresRuns(tables),
    ...postgresBaselines(tables),
    ...postgresWrites(tables),
    ...postgresActors(tables),
    forget: (cluster) =>
      inActionTransaction(tables, async (tx) => {
        const key = stopKey(cluster)
        await tx.delete(actionStops).where(eq(actionStops.cluster, key))
        await tx.delete(actionRuns).where(eq(actionRuns.cluster, key))
        // Its token stays: begun anew, it would some day be the one that somebody from before still holds.
        await tx.update(actionActors).set({ holder: null }).where(eq(actionActors.cluster, key))
      }),
  }
}
