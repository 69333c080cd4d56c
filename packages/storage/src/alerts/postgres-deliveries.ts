import type { DeliveryStore } from '@septet/domain'
import { and, asc, desc, eq, inArray, lt, lte, ne, or } from '../drizzle.ts'

import { byText, type AccessTables } from '../access/access-tables.ts'
import { dateOf, maybeDate } from '../access/row-values.ts'
import { deliveries, deliveryAttempts } from '../alert-schema.ts'
import { storableText } from '../usage/storable.ts'
import { attemptRow, deliveryRow, toAttempt, toDelivery } from './alert-rows.ts'

/** Messages and every try to deliver them. */
export function postgresDeliveries(tables: AccessTables): DeliveryStore {
  const { db, guard, count, finds } = tables
  const { createdAt, id, nextAt, state } = deliveries
  return {
    ...asked(tables),
    add: (delivery) =>
      guard(async () => {
        await db.insert(deliveries).values(deliveryRow(delivery)).onConflictDoNothing()
      }),
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
      guard(async () => {
        const found = await db
          .select()
          .from(deliveryAttempts)
          .where(inArray(deliveryAttempts.delivery, sought.map(storableText)))
          .orderBy(asc(byText(deliveryAttempts.delivery)), asc(deliveryAttempts.attempt))
        return found.map(toAttempt)
      }),
    prune: (before) =>
      count(() => db.delete(deliveries).where(and(ne(state, 'waiting'), lt(createdAt, dateOf(before))))),
    due: (now, limit) =>
      guard(async () => {
        const isDue = and(eq(state, 'waiting'), lte(nextAt, dateOf(now)))
        const first = [asc(nextAt), asc(byText(id))]
        const found = await db
          .select()
          .from(deliveries)
          .where(isDue)
          .orderBy(...first)
          .limit(limit)
        return found.map(toDelivery)
      }),
  }
}

function asked({ db, guard }: AccessTables): Pick<DeliveryStore, 'get' | 'list'> {
  const { channel, createdAt, id, state } = deliveries
  return {
    get: (sought) =>
      guard(async () => {
        const [found] = await db
          .select()
          .from(deliveries)
          .where(eq(id, storableText(sought)))
        return found && toDelivery(found)
      }),
    list: (query) =>
      guard(async () => {
        const { before } = query
        const fits = and(
          query.channel === undefined ? undefined : eq(channel, storableText(query.channel)),
          query.state && eq(state, query.state),
          before &&
            or(
              lt(createdAt, dateOf(before.createdAt)),
              and(eq(createdAt, dateOf(before.createdAt)), lt(byText(id), storableText(before.id))),
            ),
        )
        const newest = [desc(createdAt), desc(byText(id))]
        const found = await db
          .select()
          .from(deliveries)
          .where(fits)
          .orderBy(...newest)
          .limit(query.limit)
        return found.map(toDelivery)
      }),
  }
}
