import type { ClusterEventStore } from '@septet/domain'
import { and, desc, eq, gte, inArray, lt, or } from '../drizzle.ts'

import { byText, type AccessTables } from '../access/access-tables.ts'
import { dateOf } from '../access/row-values.ts'
import { clusterEvents } from '../alert-schema.ts'
import { rowsByColumn } from '../rows-by-column.ts'
import { storableText } from '../usage/storable.ts'
import { eventRow, toEvent } from './alert-rows.ts'

/** What happened to clusters, one row each. */
export function postgresEvents({ db, all, run, count }: AccessTables): ClusterEventStore {
  const { at, id, kind, object } = clusterEvents
  return {
    add: (cluster, events) =>
      run(() => {
        const rows = events.map((event) => eventRow(cluster, event))
        return db.insert(clusterEvents).select(rowsByColumn(clusterEvents, rows)).onConflictDoNothing()
      }),
    list: ({ cluster, objects, kinds, from, to, limit, before }) =>
      all(toEvent, () => {
        const fits = and(
          eq(clusterEvents.cluster, storableText(cluster)),
          objects && inArray(object, objects.map(storableText)),
          kinds && inArray(kind, [...kinds]),
          from === undefined ? undefined : gte(at, dateOf(from)),
          to === undefined ? undefined : lt(at, dateOf(to)),
          before &&
            or(lt(at, dateOf(before.at)), and(eq(at, dateOf(before.at)), lt(byText(id), storableText(before.id)))),
        )
        return db
          .select()
          .from(clusterEvents)
          .where(fits)
          .orderBy(desc(at), desc(byText(id)))
          .limit(limit)
      }),
    prune: (before) => count(() => db.delete(clusterEvents).where(lt(at, dateOf(before)))),
  }
}
