import { mayFollow, type ActionRun, type ActionStore, type RunState, type Transition } from '@septet/domain'
import type { SQL } from 'drizzle-orm'
import { and, asc, desc, eq, inArray } from '../drizzle.ts'

import { byText, type AccessTables } from '../access/access-tables.ts'
import { actionRuns, actionTransitions } from '../action-schema.ts'
import { StoreError } from '../store-error.ts'
import { runRow, toRun, type RunRow, type TransitionRow } from './action-rows.ts'
import { inActionTransaction, isHeld, lockedRun } from './action-transaction.ts'

type Runs = Pick<ActionStore, 'propose' | 'get' | 'list' | 'advance'>

/** Runs with their transitions, which are only added. */
export function postgresRuns(tables: AccessTables): Runs {
  const { db, guard } = tables
  const found = (isIt: SQL | undefined) => db.select().from(actionRuns).where(isIt)
  return {
    propose: (proposed) => propose(tables, proposed),
    advance: (id, transition, fence) =>
      inActionTransaction(tables, async (tx) => {
        const row = await lockedRun(tx, id)
        if (row === undefined || transition.number !== row.number + 1) return undefined
        checkFollows(row.state, transition.state)
        if (fence !== undefined && !(await isHeld(tx, fence, row.cluster))) return undefined
        const { number, state } = transition
        await tx.insert(actionTransitions).values({ ...transition, run: row.id })
        await tx.update(actionRuns).set({ number, state }).where(eq(actionRuns.id, row.id))
        const [after] = await withTransitions(tx, [{ ...row, number, state }])
        return after
      }),
    get: (id) =>
      guard(async () => {
        const [only] = await withTransitions(db, await found(eq(actionRuns.id, id)))
        return only
      }),
    list: ({ cluster, states, limit }) =>
      guard(async () => {
        const fits = and(
          cluster === undefined ? undefined : eq(actionRuns.cluster, cluster),
          states && inArray(actionRuns.state, [...states]),
        )
        const newest = [desc(actionRuns.proposedAt), desc(byText(actionRuns.id))]
        const rows = await found(fits)
          .orderBy(...newest)
          .limit(limit)
        return withTransitions(db, rows)
      }),
  }
}

async function propose(tables: AccessTables, proposed: ActionRun): Promise<boolean> {
  checkBegins(proposed.transitions)
  const row = await runRow(proposed)
  return inActionTransaction(tables, async (tx) => {
    const added = await tx.insert(actionRuns).values(row).onConflictDoNothing()
    if (added.rowCount === 0) return false
    await tx.insert(actionTransitions).values(proposed.transitions.map((each) => ({ ...each, run: row.id })))
    return true
  })
}

/** In the order of the runs. What came after a run's row was read is left out, so that both tell of one moment. */
async function withTransitions(
  db: Pick<AccessTables['db'], 'select'>,
  runs: readonly RunRow[],
): Promise<readonly ActionRun[]> {
  if (runs.length === 0) return []
  const ids = runs.map(({ id }) => id)
  const rows: readonly TransitionRow[] = await db
    .select()
    .from(actionTransitions)
    .where(inArray(actionTransitions.run, ids))
    .orderBy(asc(actionTransitions.number))
  const byRun = Map.groupBy(rows, (row) => row.run)
  const made = runs.map((run) =>
    toRun(
      run,
      (byRun.get(run.id) ?? []).filter(({ number }) => number <= run.number),
    ),
  )
  return (await Promise.all(made)).filter((run) => run !== undefined)
}

function checkBegins([first, ...later]: ActionRun['transitions']): void {
  if (first.state !== 'proposed' || first.number !== 1) {
    throw new StoreError(
      'unexpected',
      `A run begins as number 1, proposed, and not as number ${first.number}, ${first.state}.`,
    )
  }
  let last: Transition = first
  for (const each of later) {
    checkFollows(last.state, each.state)
    if (each.number !== last.number + 1) {
      throw new StoreError('unexpected', `Transition ${each.number} of a run came after number ${last.number}.`)
    }
    last = each
  }
}

/** No face offers what this refuses, so it is a fault of Septet. */
function checkFollows(from: RunState, to: RunState): void {
  if (mayFollow(from, to)) return
  throw new StoreError('unexpected', `A run that is ${from} cannot become ${to}, so nothing was stored.`)
}
