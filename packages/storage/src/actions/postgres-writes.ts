import type { ActionStore, Intent } from '@septet/domain'
import { and, asc, eq, inArray, isNull, max, sql } from '../drizzle.ts'

import { byText, type AccessTables } from '../access/access-tables.ts'
import { actionStops, actionWrites } from '../action-schema.ts'
import { storableText } from '../usage/storable.ts'
import { stopKey, toStop, toWrite } from './action-rows.ts'
import { inActionTransaction, isHeld, lockedRun, type Transaction } from './action-transaction.ts'

type Writes = Pick<ActionStore, 'intend' | 'settle' | 'writes' | 'rehearsals'>

/** Writes to clusters: written down before they are sent, and what came of them once. */
export function postgresWrites(tables: AccessTables): Writes {
  const { db, all, run } = tables
  const recorded = (id: string, isRehearsal: boolean) =>
    all(toWrite, () =>
      db
        .select()
        .from(actionWrites)
        .where(and(eq(actionWrites.run, id), eq(actionWrites.isRehearsal, isRehearsal)))
        .orderBy(asc(actionWrites.number)),
    )
  return {
    intend: (write, fence) =>
      inActionTransaction(tables, async (tx): Promise<Intent> => {
        // An order waits for the writes that are being written down, and these for the order: after `stop` has returned
        // nothing is recorded any more.
        await tx.execute(sql`lock table ${actionStops} in share mode`)
        const row = await lockedRun(tx, write.run)
        // Of a run that is gone the cluster was removed: nobody acts on that.
        if (row === undefined || !(await isHeld(tx, fence, row.cluster))) return { kind: 'fenced' }
        const order = await orderFor(tx, row.cluster)
        if (order !== undefined) return { kind: 'stopped', order: toStop(order) }
        const number = 1 + (await lastNumber(tx, write.run))
        await tx.insert(actionWrites).values({ ...write, number, stops: write.stops?.map(storableText) })
        return { kind: 'recorded', number }
      }),
    // The first word stands: a second one for the same write is the first, told again.
    settle: (id, number, { kind, at, because }) =>
      run(() =>
        db
          .update(actionWrites)
          .set({ outcome: kind, settledAt: at, because })
          .where(and(eq(actionWrites.run, id), eq(actionWrites.number, number), isNull(actionWrites.outcome))),
      ),
    writes: (id) => recorded(id, false),
    rehearsals: (id) => recorded(id, true),
  }
}

/** The order for all clusters before the one for this. */
async function orderFor(tx: Transaction, cluster: string) {
  const [order] = await tx
    .select()
    .from(actionStops)
    .where(inArray(actionStops.cluster, [stopKey(undefined), cluster]))
    .orderBy(asc(byText(actionStops.cluster)))
    .limit(1)
  return order
}

async function lastNumber(tx: Transaction, run: string): Promise<number> {
  const [last] = await tx
    .select({ number: max(actionWrites.number) })
    .from(actionWrites)
    .where(eq(actionWrites.run, run))
  return last?.number ?? 0
}
