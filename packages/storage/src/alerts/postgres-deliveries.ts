import type { DeliveryQuery, DeliveryStore } from '@septet/domain'
import type { SQL } from 'drizzle-orm'
import { and, asc, desc, eq, inArray, lt, lte, ne, or } from '../drizzle.ts'

import { byText, type AccessTables } from '../access/access-tables.ts'
import { deliveries, deliveryAttempts } from '../alert-schema.ts'
import { known } from '../rows.ts'

/** Messages and every try to deliver them. */
export function postgresDeliveries(tables: AccessTables): DeliveryStore {
  const { db, guard, all, first, run, count, finds } = tables
  const found = (isIt: SQL | undefined) => db.select().from(deliveries).where(isIt)
  const { createdAt, id, nextAt, state } = deliveries
  return {
    get: (sought) => first(known, () => found(eq(id, sought))),
    list: ({ limit, ...query }) => {
      const newest = [desc(createdAt), desc(byText(id))]
      return all(known, () =>
        found(fits(query))
          .orderBy(...newest)
          .limit(limit),
      )
    },
    add: (delivery) => run(() => db.insert(deliveries).values(delivery).onConflictDoNothing()),
    record: (attempt, after) =>
      guard(() =>
        db.transaction(async (tx) => {
          await tx.insert(deliveryAttempts).values({ ...attempt, tookMs: Math.round(attempt.tookMs) })
          await tx
            .update(deliveries)
            .set({ state: after.state, attempts: attempt.attempt, nextAt: after.nextAt ?? null })
            .where(eq(id, attempt.delivery))
        }),
      ),
    retry: (sought, when) =>
      finds(() =>
        db
          .update(deliveries)
          .set({ state: 'waiting', nextAt: when.nextAt, giveUpAt: when.giveUpAt })
          .where(eq(id, sought)),
      ),
    attempts: (sought) =>
      all(known, () =>
        db
          .select()
          .from(deliveryAttempts)
          .where(inArray(deliveryAttempts.delivery, [...sought]))
          .orderBy(asc(byText(deliveryAttempts.delivery)), asc(deliveryAttempts.attempt)),
      ),
    prune: (before) => count(() => db.delete(deliveries).where(and(ne(state, 'waiting'), lt(createdAt, before)))),
    due: (now, limit) =>
      all(known, () => {
        const isDue = and(eq(state, 'waiting'), lte(nextAt, now))
        const oldest = [asc(nextAt), asc(byText(id))]
        return found(isDue)
          .orderBy(...oldest)
          .limit(limit)
      }),
  }
}

function fits({ before, ...sought }: Omit<DeliveryQuery, 'limit'>): SQL | undefined {
  const { channel, createdAt, id, state } = deliveries
  return and(
    sought.channel === undefined ? undefined : eq(channel, sought.channel),
    sought.state && eq(state, sought.state),
    before && or(lt(createdAt, before.createdAt), and(eq(createdAt, before.createdAt), lt(byText(id), before.id))),
  )
}
