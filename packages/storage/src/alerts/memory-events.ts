import { compareText, type ClusterEvent, type ClusterEventQuery, type ClusterEventStore } from '@septet/domain'

import { MemoryTable } from '../access/memory-table.ts'
import { dateOf } from '../access/row-values.ts'
import { storableText } from '../usage/storable.ts'
import { eventRow, toEvent, type EventRow } from './alert-rows.ts'
import { isAmong } from './memory-alerts.ts'

/** The twin of `postgresEvents`, in memory. */
export function memoryEvents(): ClusterEventStore {
  const events = new MemoryTable<EventRow>(({ cluster, id }) => JSON.stringify([cluster, id]))
  return {
    add: async (cluster, fresh) => {
      for (const row of fresh.map((event) => eventRow(cluster, event))) {
        if (events.get(JSON.stringify([row.cluster, row.id])) === undefined) events.put(row)
      }
    },
    list: async (query) =>
      events
        .where((row) => fitsEvent(row, query))
        .toSorted((a, b) => b.at.getTime() - a.at.getTime() || compareText(b.id, a.id))
        .slice(0, query.limit)
        .map(toEvent),
    prune: async (before) => {
      const end = dateOf(before)
      return events.removeWhere((row) => row.at < end)
    },
  }
}

function fitsEvent(row: EventRow, query: ClusterEventQuery): boolean {
  const { cluster, objects, kinds, from = -Infinity, to = Infinity, before } = query
  const at = row.at.getTime()
  return (
    row.cluster === storableText(cluster) &&
    isAmong(row.object, objects?.map(storableText)) &&
    isAmong(row.kind, kinds) &&
    at >= from &&
    at < to &&
    (before === undefined || comesAfter(row, before))
  )
}

/** Whether it stands further down in the list, which has the newest first. */
const comesAfter = (row: EventRow, { at, id }: Pick<ClusterEvent, 'at' | 'id'>): boolean =>
  row.at.getTime() < at || (row.at.getTime() === at && row.id < storableText(id))
