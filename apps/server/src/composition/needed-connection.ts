import { Refusal } from '@septet/contract'
import { instant, type ClusterRecord } from '@septet/domain'

import type { ClusterFleet } from './cluster-fleet.ts'
import type { ConnectionDocument, StoredConnection } from './stored-connections.ts'

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
