import { Refusal } from '@septet/contract'
import { keptKubeconfig } from '@septet/connectors'
import type { Secrets } from '@septet/auth'
import { WORKING_STATES, type Store } from '@septet/domain'
import { plural } from '@septet/domain/words'

import type { ClusterService, ConnectionView } from '../operations/clusters/cluster-service.ts'
import type { ClusterFleet } from './cluster-fleet.ts'
import { keepChanged, needStored } from './keep-changed.ts'
import { contextsSeenIn, understood } from './read-kubeconfig.ts'
import {
  credentialsIn,
  IN_CLUSTER,
  isByAgent,
  readConnections,
  sealCredentials,
  type StoredConnection,
} from './stored-connections.ts'

type Parts = {
  readonly store: Pick<Store, 'settings' | 'actions'>
  readonly secrets: Pick<Secrets, 'seal' | 'unseal'>
  readonly fleet: ClusterFleet
  readonly plugins: readonly string[]
}
type Wish = Parameters<ClusterService['setActor']>[0]

/** Keeps by what a cluster may be changed, or that it may not, and connects it again by that. */
export async function setActor(parts: Parts, wish: Wish): Promise<ConnectionView> {
  const document = await readConnections(parts.store.settings)
  const before = needStored(document, parts.fleet, wish.id)
  const { kubeconfig } = wish
  if (isByAgent(before)) {
    throw new Refusal(
      'invalid-input',
      `${before.name} is read by an agent inside it, and agents only read.`,
      'To let Septet change it, add it with a kubeconfig instead.',
    )
  }
  if (kubeconfig === null) await refuseWhileActing(parts, before)
  const changed = kubeconfig === null ? withoutActor(parts, before) : withActor(parts, before, { ...wish, kubeconfig })
  return keepChanged(parts, document, changed)
}

function withActor(
  { secrets, plugins }: Parts,
  stored: StoredConnection,
  { kubeconfig, context, namespace }: Wish & { readonly kubeconfig: string },
): StoredConnection {
  const actorKubeconfig = understood(() => keptKubeconfig(kubeconfig, { context, plugins }))
  const { server, signsInBy } = contextsSeenIn(actorKubeconfig)
  const credentials = credentialsIn(secrets, stored)
  if (stored.server !== IN_CLUSTER && server !== stored.server) {
    throw new Refusal(
      'invalid-input',
      `These credentials are for ${server}, and ${stored.name} is ${stored.server}.`,
      'Make a kubeconfig of the actor’s account in this cluster.',
    )
  }
  if (actorKubeconfig === credentials.kubeconfig) {
    throw new Refusal(
      'invalid-input',
      `These are the credentials by which Septet reads ${stored.name}.`,
      'Give it those of another account, with the rights of deploy/actor-*.yaml: what reads must not be able to change.',
    )
  }
  return {
    ...stored,
    actor: { signsInBy, namespace },
    sealed: sealCredentials(secrets, stored.id, { ...credentials, actorKubeconfig }),
  }
}

function withoutActor({ secrets }: Parts, stored: StoredConnection): StoredConnection {
  const credentials = { ...credentialsIn(secrets, stored), actorKubeconfig: undefined }
  return { ...stored, actor: undefined, sealed: sealCredentials(secrets, stored.id, credentials) }
}

/** Without its credentials nobody could end, or take back, what was begun. */
async function refuseWhileActing({ store }: Parts, { id, name }: StoredConnection): Promise<void> {
  const running = await store.actions.list({ cluster: id, states: WORKING_STATES, limit: 100 })
  if (running.length === 0) return
  throw new Refusal(
    'invalid-input',
    `${plural(running.length, 'action')} of ${name} ${running.length === 1 ? 'is' : 'are'} under way.`,
    'Wait until they finish, or reject and undo them. Stop acting to halt them immediately.',
  )
}
