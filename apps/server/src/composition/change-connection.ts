import type { Secrets } from '@septet/auth'
import { Refusal, invalidInput } from '@septet/contract'
import { instant, type ClusterRecord, type Store } from '@septet/domain'

import type { ConnectionView } from '../operations/clusters/cluster-service.ts'
import type { ClusterFleet } from './cluster-fleet.ts'
import type { Door } from './threads/door.ts'
import { storedView } from './connection-view.ts'
import type { Watchable } from './watched-cluster.ts'
import {
  connectionSource,
  readConnections,
  writeConnections,
  type ConnectionDocument,
  type StoredConnection,
} from './stored-connections.ts'

/** By what connections that admins have added are changed. */
export type ConnectionParts = {
  readonly store: Pick<Store, 'settings'>
  readonly secrets: Pick<Secrets, 'seal' | 'unseal'>
  readonly fleet: ClusterFleet
  /** Programs that a kubeconfig may sign in by. */
  readonly plugins: readonly string[]
  readonly door: Pick<Door, 'contexts' | 'kubeconfig'>
}
type Change = (before: StoredConnection) => StoredConnection | Promise<StoredConnection>

/** Keeps one connection as it is changed. Throws a `Refusal` where no admin has added it. */
export async function changeStored(
  { store, fleet }: Pick<ConnectionParts, 'store' | 'fleet'>,
  id: string,
  change: Change,
): Promise<StoredConnection> {
  const document = await readConnections(store.settings)
  const changed = await change(needStored(document, fleet, id))
  const connections = document.connections.map((one) => (one.id === id ? changed : one))
  await writeConnections(store.settings, { ...document, connections })
  return changed
}

/** The same, and connects its cluster again by that. What cannot be opened is not kept. */
export async function changeConnection(parts: ConnectionParts, id: string, change: Change): Promise<ConnectionView> {
  const changed = await changeStored(parts, id, async (before) => {
    const after = await change(before)
    connectionSource(parts, after)
    return after
  })
  await parts.fleet.reconnect(watchable(parts, changed))
  return storedView(changed)
}

export const connectionRecord = ({ id, name, addedAt }: StoredConnection): ClusterRecord => ({
  id,
  name,
  kind: 'cluster',
  createdAt: instant(addedAt),
})

/** A stored connection as the fleet takes it. Throws when its credentials were sealed with another secret. */
export const watchable = (
  parts: Pick<ConnectionParts, 'secrets' | 'plugins' | 'store'>,
  stored: StoredConnection,
): Watchable => ({
  record: connectionRecord(stored),
  source: connectionSource(parts, stored),
  newest: async () => {
    const now = (await readConnections(parts.store.settings)).connections.find(({ id }) => id === stored.id)
    return now && connectionSource(parts, now)
  },
})

/** The connection of that id. Throws a `Refusal` where no admin has added it. */
export function needStored({ connections }: ConnectionDocument, fleet: ClusterFleet, id: string): StoredConnection {
  const stored = connections.find((one) => one.id === id)
  if (stored !== undefined) return stored
  const fixed = fleet.clusters().find(({ record }) => record.id === id)
  if (fixed === undefined) {
    throw new Refusal('unknown-cluster', `There is no cluster "${id}".`, 'List the connections to see their ids.')
  }
  const setting = fixed.record.kind === 'demo' ? 'SEPTET_DEMO' : 'SEPTET_KUBECONFIG and SEPTET_CLUSTER_NAME'
  throw invalidInput(
    `${fixed.record.name} is set by the environment of Septet, so it cannot be changed here.`,
    `Change ${setting} and start Septet again.`,
  )
}
