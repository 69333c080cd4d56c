import type { ClusterEventStore } from '@septet/domain'
import { and, desc, eq, gte, inArray, lt, or } from 'drizzle-orm'

import { byText, type AccessTables } from '../access/access-tables.ts'
import { dateOf } from '../access/row-values.ts'
import { clusterEvents } from '../alert-schema.ts'
import { storableText } from '../usage/storable.ts'
import { eventRow, toEvent } from './alert-rows.ts'

/** A statement has at most 65,535 parameters, and an event eight. */
const EVENTS_AT_ONCE = 2000

/** What happened to clusters, one row each. */
export function postgresEvents({ db, guard, count }: AccessTables): ClusterEventStore {
  const { at, id, kind, object } = clusterEvents
  return {
    add: (cluster, events) =>
      guard(() =>
        db.transaction(async (tx) => {
          for (let start = 0; start < events.length; start += EVENTS_AT_ONCE) {
            const rows = events.slice(start, start + EVENTS_AT_ONCE).map((event) => eventRow(cluster, event))
            await tx.insert(clusterEvents).values(rows).onConflictDoNothing()
          }
        }),
      ),
    list: ({ cluster, objects, kinds, from, to, limit, before }) =>
      guard(async () => {
        const fits = and(
          eq(clusterEvents.cluster, storableText(cluster)),
          objects && inArray(object, objects.map(storableText)),
          kinds && inArray(kind, [...kinds]),
          from === undefined ? undefined : gte(at, dateOf(from)),
          to === undefined ? undefined : lt(at, dateOf(to)),
          before &&
            or(lt(at, dateOf(before.at)), and(eq(at, dateOf(before.at)), lt(byText(id), storableText(before.id)))),
        )
        const found = await db
          .select()
          .from(clusterEvents)
          .where(fits)
          .orderBy(desc(at), desc(byText(id)))
          .limit(limit)
        return found.map(toEvent)
      }),
    prune: (before) => count(() => db.delete(clusterEvents).where(lt(at, dateOf(before)))),
  }
}
