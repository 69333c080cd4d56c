import { compareText, type DeliveryQuery, type DeliveryStore } from '@septet/domain'

import { ownerGone } from '../access/access-failures.ts'
import { MemoryTable } from '../access/memory-table.ts'
import { dateOf, maybeDate } from '../access/row-values.ts'
import { storableText } from '../usage/storable.ts'
import { attemptRow, deliveryRow, toAttempt, toDelivery, type AttemptRow, type DeliveryRow } from './alert-rows.ts'

export type DeliveryTable = MemoryTable<DeliveryRow>

/** The twin of `postgresDeliveries`, in memory. */
export function memoryDeliveries(deliveries: DeliveryTable): DeliveryStore {
  const attempts = new MemoryTable<AttemptRow>(({ delivery, attempt }) => JSON.stringify([delivery, attempt]))
  return {
    add: async (delivery) => {
      const row = deliveryRow(delivery)
      if (deliveries.get(row.id) === undefined) deliveries.put(row)
    },
    get: async (id) => {
      const found = deliveries.get(storableText(id))
      return found && toDelivery(found)
    },
    list: async (query) =>
      deliveries
        .where((row) => fits(row, query))
        .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || compareText(b.id, a.id))
        .slice(0, query.limit)
        .map(toDelivery),
    due: async (now, limit) =>
      deliveries
        .where(({ state, nextAt }) => state === 'waiting' && (nextAt?.getTime() ?? Infinity) <= now)
        .toSorted((a, b) => Number(a.nextAt) - Number(b.nextAt) || compareText(a.id, b.id))
        .slice(0, limit)
        .map(toDelivery),
    record: async (attempt, after) => {
      const row = attemptRow(attempt)
      if (deliveries.get(row.delivery) === undefined) throw ownerGone()
      attempts.insert(row)
      deliveries.change(row.delivery, { state: after.state, attempts: row.attempt, nextAt: maybeDate(after.nextAt) })
    },
    retry: async (id, when) => {
      const columns = { state: 'waiting', nextAt: dateOf(when.nextAt), giveUpAt: dateOf(when.giveUpAt) } as const
      return deliveries.change(storableText(id), columns) !== undefined
    },
    attempts: async (sought) => {
      const ids = new Set(sought.map(storableText))
      return attempts
        .where(({ delivery }) => ids.has(delivery))
        .toSorted((a, b) => compareText(a.delivery, b.delivery) || a.attempt - b.attempt)
        .map(toAttempt)
    },
    prune: async (before) => {
      const end = dateOf(before)
      const gone = deliveries.where(({ state, createdAt }) => state !== 'waiting' && createdAt < end)
      const ids = new Set(gone.map(({ id }) => id))
      attempts.removeWhere(({ delivery }) => ids.has(delivery))
      return deliveries.removeWhere(({ id }) => ids.has(id))
    },
  }
}

function fits(row: DeliveryRow, { channel, state, before }: DeliveryQuery): boolean {
  const at = row.createdAt.getTime()
  const isNext =
    before === undefined || at < before.createdAt || (at === before.createdAt && row.id < storableText(before.id))
  return (
    (channel === undefined || row.channel === storableText(channel)) &&
    (state === undefined || row.state === state) &&
    isNext
  )
}
