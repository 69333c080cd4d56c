import { compareText, type Alert, type AlertQuery, type AlertStore } from '@septet/domain'

import { MemoryTable } from '../access/memory-table.ts'
import { dateOf } from '../access/row-values.ts'
import { storableText } from '../usage/storable.ts'
import { alertRow, deliveryRow, markColumns, toAlert, type AlertRow } from './alert-rows.ts'
import { memoryDeliveries, type DeliveryTable } from './memory-deliveries.ts'
import { cameToNothing, currentOf } from './postgres-alerts.ts'

/** The twin of `postgresAlerts`, in memory. */
export function memoryAlerts(): AlertStore {
  const alerts = new MemoryTable<AlertRow>((row) => row.id)
  const deliveries: DeliveryTable = new MemoryTable((row) => row.id)
  return {
    write: async (fresh, sent) => {
      const rows = fresh.map(alertRow)
      const messages = sent.map(deliveryRow)
      for (const row of rows) {
        if (cameToNothing(row)) alerts.take(row.id)
        else alerts.put({ ...row, ...marksOf(alerts.get(row.id)) })
      }
      for (const row of messages) if (deliveries.get(row.id) === undefined) deliveries.put(row)
    },
    get: async (id) => {
      const found = alerts.get(storableText(id))
      return found && toAlert(found)
    },
    list: async (query) => newestFirst(alerts.where((row) => fitsAlert(row, query))).slice(0, query.limit),
    count: async (query) => alerts.where((row) => fitsAlert(row, query)).length,
    current: async (cluster, now) => {
      const isSilenced = (row: AlertRow) => (row.silencedUntil?.getTime() ?? -Infinity) > now
      return currentOf(
        newestFirst(
          alerts.where(
            (row) => row.cluster === storableText(cluster) && (row.status !== 'resolved' || isSilenced(row)),
          ),
        ),
      )
    },
    mark: async (id, mark) => {
      const changed = alerts.change(storableText(id), markColumns(mark))
      return changed && toAlert(changed)
    },
    prune: async (before) => {
      const end = dateOf(before)
      return alerts.removeWhere(({ resolvedAt }) => resolvedAt !== null && resolvedAt < end)
    },
    deliveries: memoryDeliveries(deliveries),
  }
}

const newestFirst = (rows: readonly AlertRow[]): Alert[] =>
  rows.toSorted((a, b) => b.since.getTime() - a.since.getTime() || compareText(b.id, a.id)).map(toAlert)

const marksOf = (row: AlertRow | undefined): Partial<AlertRow> =>
  row === undefined
    ? {}
    : { acknowledgement: row.acknowledgement, silence: row.silence, silencedUntil: row.silencedUntil }

function fitsAlert(row: AlertRow, { cluster, statuses, kinds, namespaces, from }: Omit<AlertQuery, 'limit'>): boolean {
  const lasts = row.resolvedAt === null || row.resolvedAt.getTime() > (from ?? -Infinity)
  return (
    row.cluster === storableText(cluster) &&
    isAmong(row.status, statuses) &&
    isAmong(row.kind, kinds) &&
    isAmong(row.namespace, namespaces?.map(storableText)) &&
    lasts
  )
}

/** Absent: nothing in particular is asked for. */
export const isAmong = (value: string | null, asked: readonly string[] | undefined): boolean =>
  asked === undefined || (value !== null && asked.includes(value))
