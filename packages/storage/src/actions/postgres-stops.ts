import type { ActionStore } from '@septet/domain'
import { asc, eq } from '../drizzle.ts'

import { byText, type AccessTables } from '../access/access-tables.ts'
import { actionStops } from '../action-schema.ts'
import { stopKey, stopRow, toStop } from './action-rows.ts'

/** Orders that nobody may act. */
export const postgresStops = ({
  db,
  all,
  run,
  finds,
}: AccessTables): Pick<ActionStore, 'stop' | 'resume' | 'stops'> => ({
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
})
