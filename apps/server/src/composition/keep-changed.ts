import { instant, type Store, type ClusterRecord } from '@septet/domain'
import { Refusal } from '@septet/contract'

import type { ConnectionView } from '../operations/clusters/cluster-service.ts'
import type { ClusterFleet } from './cluster-fleet.ts'
import { storedView } from './connection-view.ts'
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

export const connectionRecord = ({ id, name, addedAt }: StoredConnection): ClusterRecord => ({
  id,
  name,
  kind: 'cluster',
  createdAt: instant(addedAt),
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
  throw new Refusal(
    'invalid-input',
    `${fixed.record.name} is set by the environment of Septet, so it cannot be changed here.`,
    `Change ${setting} and start Septet again.`,
  )
}
