import { invalidInput } from '@septet/contract'
import { WORKING_STATES, type Store } from '@septet/domain'
import { plural } from '@septet/domain/words'

import type { ClusterService, ConnectionView } from '../operations/clusters/cluster-service.ts'
import { contextsSeenIn, understood } from './read-kubeconfig.ts'
import { changeConnection, type ConnectionParts } from './change-connection.ts'
import { withCredentials, credentialsIn, IN_CLUSTER, isByAgent, type StoredConnection } from './stored-connections.ts'

type Parts = ConnectionParts & { readonly store: Pick<Store, 'settings' | 'actions'> }
type Wish = Parameters<ClusterService['setActor']>[0]

/** Keeps by what a cluster may be changed, or that it may not, and connects it again by that. */
export const setActor = (parts: Parts, wish: Wish): Promise<ConnectionView> =>
  changeConnection(parts, wish.id, async (before) => {
    const { kubeconfig } = wish
    if (isByAgent(before)) {
      throw invalidInput(
        `${before.name} is read by an agent inside it, and agents only read.`,
        'To let Septet change it, add it with a kubeconfig instead.',
      )
    }
    if (kubeconfig !== null) return withActor(parts, before, { ...wish, kubeconfig })
    await refuseWhileActing(parts, before)
    return { ...withCredentials(parts.secrets, before, { actorKubeconfig: undefined }), actor: undefined }
  })

async function withActor(
  { secrets, plugins, door }: Parts,
  stored: StoredConnection,
  { kubeconfig, context, namespace }: Wish & { readonly kubeconfig: string },
): Promise<StoredConnection> {
  const actorKubeconfig = await understood(() => door.kubeconfig(kubeconfig, { context, plugins }))
  const { server, signsInBy } = contextsSeenIn(actorKubeconfig)
  if (stored.server !== IN_CLUSTER && server !== stored.server) {
    throw invalidInput(
      `These credentials are for ${server}, and ${stored.name} is ${stored.server}.`,
      'Make a kubeconfig of the actor’s account in this cluster.',
    )
  }
  if (actorKubeconfig === credentialsIn(secrets, stored).kubeconfig) {
    throw invalidInput(
      `These are the credentials by which Septet reads ${stored.name}.`,
      'Give it those of another account, with the rights of deploy/actor-*.yaml: what reads must not be able to change.',
    )
  }
  return { ...withCredentials(secrets, stored, { actorKubeconfig }), actor: { signsInBy, namespace } }
}

/** Without its credentials nobody could end, or take back, what was begun. */
async function refuseWhileActing({ store }: Parts, { id, name }: StoredConnection): Promise<void> {
  const running = await store.actions.list({ cluster: id, states: WORKING_STATES, limit: 100 })
  if (running.length === 0) return
  throw invalidInput(
    `${plural(running.length, 'action')} of ${name} ${running.length === 1 ? 'is' : 'are'} under way.`,
    'Wait until they finish, or reject and undo them. Stop acting to halt them immediately.',
  )
}
