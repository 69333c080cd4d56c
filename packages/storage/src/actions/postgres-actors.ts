import { instant, type ActionStore } from '@septet/domain'
import { asc, eq, isNull, lt, sql } from '../drizzle.ts'

import { byText, type AccessTables } from '../access/access-tables.ts'
import { actionActors, actionStops } from '../action-schema.ts'
import { stopKey, stopRow, toStop } from './action-rows.ts'
import { heldByAction } from './action-transaction.ts'

type Actors = Pick<ActionStore, 'takeOver' | 'renew' | 'release' | 'stop' | 'resume' | 'stops'>

/** Who may act on which cluster, and orders that nobody may. */
export function postgresActors({ db, all, first, run, finds }: AccessTables): Actors {
  const { holder: heldNow, heardAt, token } = actionActors
  return {
    takeOver: (cluster, holder, { now, ttlMs }) =>
      first(
        (row: { readonly token: number }) => ({ cluster, token: row.token }),
        () => {
          const next = { holder: holder, heardAt: now }
          return db
            .insert(actionActors)
            .values({ cluster: cluster, token: 1, ...next })
            .onConflictDoUpdate({
              target: actionActors.cluster,
              set: { token: sql`${token} + 1`, ...next },
              setWhere: sql`${isNull(heldNow)} or ${lt(heardAt, instant(now - ttlMs))}`,
            })
            .returning({ token })
        },
      ),
    renew: (fence, now) => finds(() => db.update(actionActors).set({ heardAt: now }).where(heldByAction(fence))),
    release: (fence) => run(() => db.update(actionActors).set({ holder: null }).where(heldByAction(fence))),
    stop: (order) =>
      run(() => {
        const row = stopRow(order)
        return db.insert(actionStops).values(row).onConflictDoUpdate({ target: actionStops.cluster, set: row })
      }),
    resume: (cluster) => finds(() => db.delete(actionStops).where(eq(actionStops.cluster, stopKey(cluster)))),
    stops: () =>
      all(toStop, () =>
        db
          .select()
          .from(actionStops)
          .orderBy(asc(byText(actionStops.cluster))),
      ),
  }
}
