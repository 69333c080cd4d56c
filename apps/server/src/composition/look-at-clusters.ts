import type { ClusterRecord, Log, Store } from '@septet/domain'
import { errorText } from '@septet/domain/words'

import { connectionRecord, watchable, type ConnectionParts } from './change-connection.ts'
import { readConnections, type StoredConnection } from './stored-connections.ts'

export type Looking = Pick<ConnectionParts, 'fleet' | 'secrets' | 'plugins'> & {
  readonly store: Pick<Store, 'settings' | 'clusters' | 'readModels' | 'leads'>
  readonly log: Log
  readonly watches: boolean
  /** Brings the clusters shown here in line with what servers have written: admins may have asked another one. */
  look(): Promise<void>
}
type Parts = Omit<Looking, 'look'>

/** Called again and again; see `Looking.look`. */
export async function look(parts: Parts): Promise<void> {
  const { store, fleet, watches } = parts
  const shown = new Map(fleet.clusters().map(({ record }) => [record.id, record]))
  const connections = watches ? (await readConnections(store.settings)).connections : []
  const recorded = await store.clusters.list()
  await Promise.all(connections.map((stored) => bring(parts, stored, shown.has(stored.id))))
  const brought = new Set(connections.map(({ id }) => id))
  for (const record of recorded) if (!brought.has(record.id)) await show(parts, record, shown.get(record.id))
  const there = new Set([...brought, ...recorded.map(({ id }) => id)])
  for (const id of shown.keys()) if (!there.has(id)) await fleet.release(id)
}

/** One that another server watches. */
async function show(parts: Parts, record: ClusterRecord, before: ClusterRecord | undefined): Promise<void> {
  if (before === undefined) {
    if (await isWatched(parts, record.id)) await parts.fleet.follow(record)
  } else if (before.name !== record.name) await parts.fleet.rename(record)
}

/** How long ago it may have been watched last, milliseconds. */
const LATELY_MS = 600_000

/** Whether there is another server to follow. One that is watched no more has figures only. */
async function isWatched({ store, watches }: Parts, id: string): Promise<boolean> {
  if (watches) return (await store.leads.led(LATELY_MS)).some(({ cluster }) => cluster === id)
  return (await store.readModels.version(id)) !== undefined
}

/** Watches what an admin has added, by the connection as it is now. One that cannot be watched is shown with the reason. */
async function bring(parts: Parts, stored: StoredConnection, isShown: boolean): Promise<void> {
  const { fleet, log } = parts
  try {
    const wanted = watchable(parts, stored)
    await (isShown ? fleet.reconnect(wanted) : fleet.watch(wanted))
  } catch (error) {
    if (isShown) return
    const message = errorText(error)
    log.error('a stored cluster cannot be watched', { cluster: stored.id, error: message })
    const problem = {
      code: 'connection-unusable',
      message: `${stored.name} is not watched: ${message} Its stored data stays. Remove it in Settings → Clusters and add it again.`,
      object: 'api-server',
    }
    fleet.showBroken(connectionRecord(stored), problem)
  }
}
