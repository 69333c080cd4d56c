import type { Store } from '@septet/domain'

import type { ConnectionView } from '../operations/clusters/cluster-service.ts'
import type { ClusterFleet } from './cluster-fleet.ts'
import { storedView } from './connection-view.ts'
import { connectionRecord } from './needed-connection.ts'
import {
  connectionSource,
  writeConnections,
  type ConnectionDocument,
  type Opening,
  type StoredConnection,
} from './stored-connections.ts'

type Parts = Opening & {
  readonly store: Pick<Store, 'settings'>
  readonly fleet: ClusterFleet
}

/** Keeps one connection as it is now, and connects its cluster again by that. */
export async function keepChanged(
  { store, fleet, ...opening }: Parts,
  document: ConnectionDocument,
  changed: StoredConnection,
): Promise<ConnectionView> {
  const source = connectionSource(opening, changed)
  await writeConnections(store.settings, {
    ...document,
    connections: document.connections.map((one) => (one.id === changed.id ? changed : one)),
  })
  await fleet.reconnect({ record: connectionRecord(changed), source })
  return storedView(changed)
}
