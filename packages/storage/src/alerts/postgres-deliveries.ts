import type { DeliveryQuery, DeliveryStore } from '@septet/domain'
import type { SQL } from 'drizzle-orm'
import { and, asc, desc, eq, inArray, lt, lte, ne, or } from '../drizzle.ts'

import { byText, type AccessTables } from '../access/access-tables.ts'
import { dateOf, maybeDate } from '../access/row-values.ts'
import { deliveries, deliveryAttempts } from '../alert-schema.ts'
import { storableText } from '../usage/storable.ts'
import { attemptRow, deliveryRow, toAttempt, toDelivery } from './alert-rows.ts'

/** Messages and every try to deliver them. */
export function postgresDeliveries(tables: AccessTables): DeliveryStore {
  const { db, guard, all, first, run, count, finds } = tables
  const found = (isIt: SQL | undefined) => db.select().from(deliveries).where(isIt)
  const { createdAt, id, nextAt, state } = deliveries
  return {
    get: (sought) => first(toDelivery, () => found(eq(id, storableText(sought)))),
    list: ({ limit, ...query }) => {
      const newest = [desc(createdAt), desc(byText(id))]
      return all(toDelivery, () =>
        found(fits(query))
          .orderBy(...newest)
          .limit(limit),
      )
    },
    add: (delivery) => run(() => db.insert(deliveries).values(deliveryRow(delivery)).onConflictDoNothing()),
    record: (attempt, after) =>
      guard(() =>
        db.transaction(async (tx) => {
          const row = attemptRow(attempt)
          await tx.insert(deliveryAttempts).values(row)
          await tx
            .update(deliveries)
            .set({ state: after.state, attempts: row.attempt, nextAt: maybeDate(after.nextAt) })
            .where(eq(id, row.delivery))
        }),
      ),
    retry: (sought, when) =>
      finds(() =>
        db
          .update(deliveries)
          .set({ state: 'waiting', nextAt: dateOf(when.nextAt), giveUpAt: dateOf(when.giveUpAt) })
          .where(eq(id, storableText(sought))),
      ),
    attempts: (sought) =>
      all(toAttempt, () =>
        db
          .select()
          .from(deliveryAttempts)
          .where(inArray(deliveryAttempts.delivery, sought.map(storableText)))
          .orderBy(asc(byText(deliveryAttempts.delivery)), asc(deliveryAttempts.attempt)),
      ),
    prune: (before) =>
      count(() => db.delete(deliveries).where(and(ne(state, 'waiting'), lt(createdAt, dateOf(before))))),
    due: (now, limit) =>
      all(toDelivery, () => {
        const isDue = and(eq(state, 'waiting'), lte(nextAt, dateOf(now)))
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
    sought.channel === undefined ? undefined : eq(channel, storableText(sought.channel)),
    sought.state && eq(state, sought.state),
    before &&
      or(
        lt(createdAt, dateOf(before.createdAt)),
        and(eq(createdAt, dateOf(before.createdAt)), lt(byText(id), storableText(before.id))),
      ),
  )
}
