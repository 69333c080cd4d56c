import { errorText } from '@septet/domain/words'
import { keptKubeconfig, offeredContexts, openOpenCost, type OfferedContext } from '@septet/connectors'
import type { Log, Store } from '@septet/domain'

import type { Secrets } from '@septet/auth'
import type { ClusterSource } from '../config.ts'
import type { AddWish, ClusterService, ConnectionView, ConnectionWish } from '../operations/clusters/cluster-service.ts'
import { Refusal } from '@septet/contract'
import { oneAfterTheOther } from '../one-after-the-other.ts'
import type { ClusterFleet } from './cluster-fleet.ts'
import { needStored, recordOf } from './needed-connection.ts'
import { seenIn, understood } from './read-kubeconfig.ts'
import { setActor } from './set-actor.ts'
import { freeIdOf } from './cluster-sources.ts'
import type { ConnectionTests } from './connection-tests.ts'
import { fixedView, storedView } from './connection-view.ts'
import {
  IN_CLUSTER,
  readConnections,
  sealCredentials,
  sourceOf,
  writeConnections,
  type ConnectionDocument,
  type StoredConnection,
} from './stored-connections.ts'

export type ClusterServiceParts = {
  readonly store: Pick<Store, 'settings' | 'clusters' | 'usage' | 'waits' | 'actions' | 'admissions'>
  readonly secrets: Pick<Secrets, 'seal' | 'unseal'>
  readonly fleet: ClusterFleet
  readonly tests: ConnectionTests
  /** What the environment says, if anything. */
  readonly configured: ClusterSource | undefined
  readonly log: Log
  readonly now: () => number
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** A pipeline takes a thread and some ten MB; more than this is another machine's work. */
const MOST_CLUSTERS = 40

/** Adds and takes clusters while Septet runs, one change after the other. */
export function openClusterService(parts: ClusterServiceParts): ClusterService & { restore(): Promise<void> } {
  const { store, fleet, tests, configured, environment } = parts
  // Two changes at a time would lose one of them.
  const inTurn = oneAfterTheOther()
  return {
    inCluster: environment['KUBERNETES_SERVICE_HOST'] !== undefined,
    async connections() {
      const { connections } = await readConnections(store.settings)
      const known = new Map(connections.map((stored) => [stored.id, stored]))
      return fleet.clusters().map(({ record }): ConnectionView => {
        const stored = known.get(record.id)
        return stored === undefined ? fixedView(record, configured) : storedView(stored)
      })
    },
    contexts: (text) => understood(() => offeredContexts(text)).map(contextView),
    test(wish) {
      const id = tests.begin(understood(() => sourceOfWish(wish)))
      if (id !== undefined) return id
      throw new Refusal('too-many-requests', 'Other connection tests are still going on.', 'Wait until they end.')
    },
    tested: (id) => tests.result(id),
    add: (wish, by) => inTurn(() => add(parts, wish, by)),
    rename: (id, name) => inTurn(() => rename(parts, id, name)),
    setActor: (wish) => inTurn(() => setActor(parts, wish)),
    remove: (id, how) => inTurn(() => remove(parts, id, how)),
    openCost: (url, window) =>
      openOpenCost({ url })
        .figures(window)
        .catch((error: unknown) => {
          throw new Refusal(
            'not-ready',
            `OpenCost did not answer: ${errorText(error)}`,
            'Septet’s own figures are as before. Check its address and whether it runs, then try again.',
          )
        }),
    restore: () => restore(parts),
  }
}

async function add(parts: ClusterServiceParts, wish: AddWish, by: string): ReturnType<ClusterService['add']> {
  const { store, secrets, fleet } = parts
  refuseTaken(fleet, wish.name)
  if (fleet.clusters().length >= MOST_CLUSTERS) {
    throw new Refusal(
      'invalid-input',
      `One Septet watches up to ${MOST_CLUSTERS} clusters.`,
      'Remove one, or run a second.',
    )
  }
  const document = await readConnections(store.settings)
  const kubeconfig = understood(() => credentialsOf(wish))
  const { server, signsInBy } = seenIn(kubeconfig)
  const before = document.left.find((one) => one.server === server)
  const id = before?.id ?? freeIdOf(wish.name, await takenIds(parts, document))
  const stored: StoredConnection = {
    ...publicPartOf(wish),
    id,
    addedAt: parts.now(),
    addedBy: by,
    server,
    signsInBy,
    sealed: sealCredentials(secrets, id, withToken(kubeconfig, wish.prometheusToken)),
  }
  const source = sourceOf(secrets, stored)
  await watch(fleet, stored, source)
  try {
    await writeConnections(store.settings, {
      connections: [...document.connections, stored],
      left: document.left.filter((one) => one.id !== id),
    })
  } catch (error) {
    // What is not kept must not be watched: it would be gone after the next start.
    await fleet.release(id)
    throw error
  }
  return { connection: storedView(stored), continues: before !== undefined }
}

async function watch(fleet: ClusterFleet, stored: StoredConnection, cluster: ClusterSource): Promise<void> {
  await fleet.watch({ record: recordOf(stored), source: { kind: 'cluster', cluster } }).catch((error: unknown) =>
    understood(() => {
      throw error
    }),
  )
}

async function rename({ store, fleet }: ClusterServiceParts, id: string, name: string): Promise<ConnectionView> {
  const document = await readConnections(store.settings)
  const stored = needStored(document, fleet, id)
  if (name.toLowerCase() !== stored.name.toLowerCase()) refuseTaken(fleet, name)
  const renamed = { ...stored, name }
  await writeConnections(store.settings, {
    ...document,
    connections: document.connections.map((one) => (one.id === id ? renamed : one)),
  })
  await fleet.rename(recordOf(renamed))
  return storedView(renamed)
}

type HowToRemove = Parameters<ClusterService['remove']>[1]

async function remove({ store, fleet }: ClusterServiceParts, id: string, how: HowToRemove): Promise<void> {
  const document = await readConnections(store.settings)
  const stored = needStored(document, fleet, id)
  if (how.confirm.trim() !== stored.name) {
    throw new Refusal(
      'invalid-input',
      `The cluster is named "${stored.name}".`,
      'Type its name to confirm that it is meant.',
    )
  }
  // Forgotten first: if the rest fails, the next start does not bring it back.
  await writeConnections(store.settings, {
    connections: document.connections.filter((one) => one.id !== id),
    left: how.deleteUsage ? document.left : [...document.left, { id, server: stored.server }],
  })
  await fleet.release(id)
  await store.clusters.remove(id)
  if (!how.deleteUsage) return
  await store.usage.forget(id)
  await store.waits.forget(id)
  await store.actions.forget(id)
  await store.admissions.forget(id)
}

/** Watches again what admins have added before. One that cannot be watched is shown with the reason. */
async function restore(parts: ClusterServiceParts): Promise<void> {
  const { store, secrets, fleet, log } = parts
  const { connections } = await readConnections(store.settings)
  await Promise.all(
    connections.map(async (stored) => {
      try {
        await watch(fleet, stored, sourceOf(secrets, stored))
      } catch (error) {
        const message = errorText(error)
        log.error('a stored cluster cannot be watched', { cluster: stored.id, error: message })
        const problem = {
          code: 'connection-unusable',
          message: `${stored.name} is not watched: ${message} What is stored stays. Remove it in Settings → Clusters and add it again.`,
          object: 'api-server',
        }
        fleet.showBroken(recordOf(stored), problem)
      }
    }),
  )
}

function refuseTaken(fleet: ClusterFleet, name: string): void {
  const isTaken = fleet.clusters().some(({ record }) => record.name.toLowerCase() === name.toLowerCase())
  if (!isTaken) return
  throw new Refusal('invalid-input', `There is a cluster "${name}" already.`, 'Choose another name.')
}

async function takenIds(
  { store, fleet }: ClusterServiceParts,
  { left }: ConnectionDocument,
): Promise<ReadonlySet<string>> {
  const recorded = await store.clusters.list()
  return new Set([...recorded, ...fleet.clusters().map(({ record }) => record), ...left].map(({ id }) => id))
}

function sourceOfWish(wish: ConnectionWish): ClusterSource {
  const kubeconfig = credentialsOf(wish)
  const { prometheusUrl, prometheusToken, prometheusTenant } = wish
  return {
    name: 'tested',
    kubeconfig: kubeconfig === IN_CLUSTER ? IN_CLUSTER : { text: kubeconfig },
    context: undefined,
    operatorNamespace: wish.operatorNamespace,
    prometheus:
      prometheusUrl === undefined
        ? undefined
        : { url: prometheusUrl, token: prometheusToken, tenant: prometheusTenant },
    exporterTargets: wish.exporterTargets ?? [],
    actor: undefined,
  }
}

/** Of a kubeconfig the chosen context alone. */
function credentialsOf({ kind, kubeconfig, context }: ConnectionWish): string {
  if (kind === 'in-cluster') return IN_CLUSTER
  if (kubeconfig !== undefined) return keptKubeconfig(kubeconfig, context)
  throw new Refusal(
    'invalid-input',
    'A connection by kubeconfig needs the kubeconfig.',
    'Paste it, or choose its file.',
  )
}

const withToken = (kubeconfig: string, prometheusToken: string | undefined) => ({
  kubeconfig,
  ...(prometheusToken === undefined ? {} : { prometheusToken }),
})

const publicPartOf = ({ prometheusUrl, prometheusTenant, ...wish }: AddWish) => ({
  name: wish.name,
  operatorNamespace: wish.operatorNamespace,
  ...(prometheusUrl === undefined ? {} : { prometheusUrl }),
  ...(prometheusTenant === undefined ? {} : { prometheusTenant }),
  hasPrometheusToken: wish.prometheusToken !== undefined,
  exporterTargets: wish.exporterTargets ?? [],
})

const contextView = ({ refused, ...context }: OfferedContext) => ({ ...context, refused: refused ?? null })
