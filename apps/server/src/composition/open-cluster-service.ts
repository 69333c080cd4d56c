import { errorText } from '@septet/domain/words'
import { openOpenCost, type OfferedContext } from '@septet/connectors'
import { prometheusSource, type Log, type Store } from '@septet/domain'
import { newAgentToken } from '@septet/plan-files'

import type { ClusterSource } from '../config.ts'
import type { AddWish, ClusterService, ConnectionView, ConnectionWish } from '../operations/clusters/cluster-service.ts'
import { Refusal, invalidInput, notReady } from '@septet/contract'
import { oneAfterTheOther } from '../one-after-the-other.ts'
import type { ClusterFleet } from './cluster-fleet.ts'
import { changeStored, connectionRecord, needStored, watchable, type ConnectionParts } from './change-connection.ts'
import { contextsSeenIn, understood } from './read-kubeconfig.ts'
import { setActor } from './set-actor.ts'
import { openMetricsSource, refuseWrongMetrics, sealedMetrics, setMetrics } from './set-metrics.ts'
import { freeIdOf, idOf } from './cluster-sources.ts'
import { look, type Looking } from './look-at-clusters.ts'
import type { ConnectionTests } from './connection-tests.ts'
import { agentKey, keyText, refuseOwnMetrics, rotateAgentToken, type AgentKeys } from './agent-tokens.ts'
import { fixedView, storedView } from './connection-view.ts'
import {
  agentServer,
  IN_CLUSTER,
  isByAgent,
  readConnections,
  sealCredentials,
  writeConnections,
  type ConnectionDocument,
  type StoredConnection,
} from './stored-connections.ts'

export type ClusterServiceParts = ConnectionParts & {
  /** Whether this server watches clusters, or only follows others that do. */
  readonly watches: boolean
  readonly store: Pick<
    Store,
    'settings' | 'clusters' | 'usage' | 'waits' | 'actions' | 'admissions' | 'agents' | 'leads' | 'readModels'
  >
  readonly tests: ConnectionTests
  /** What the environment says, if anything. */
  readonly configured: ClusterSource | undefined
  readonly log: Log
  readonly now: () => number
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** A pipeline takes a thread and some ten MB; more than this is another machine's work. */
const MOST_CLUSTERS = 50

/** Adds and takes clusters while Septet runs, one change after the other. */
export function openClusterService(parts: ClusterServiceParts): ClusterService & AgentKeys & Pick<Looking, 'look'> {
  const { store, fleet, tests, configured, environment } = parts
  // Two changes at a time would lose one of them.
  const inTurn = oneAfterTheOther()
  return {
    inCluster: environment['KUBERNETES_SERVICE_HOST'] !== undefined,
    async connections() {
      const { connections } = await readConnections(store.settings)
      const known = new Map(connections.map((stored) => [stored.id, stored]))
      return Promise.all(
        fleet.clusters().map(async ({ record }): Promise<ConnectionView> => {
          const stored = known.get(record.id)
          if (stored === undefined) return fixedView(record, configured)
          return storedView(stored, isByAgent(stored) ? await store.agents.seen(stored.id) : undefined)
        }),
      )
    },
    contexts: async (text) => (await understood(() => parts.door.contexts(text, parts.plugins))).map(contextView),
    async test(wish) {
      const id = await tests.begin(await understood(() => sourceOfWish(wish, parts)))
      if (id !== undefined) return id
      throw new Refusal('too-many-requests', 'Other connection tests are still running.', 'Wait until they finish.')
    },
    tested: (id) => tests.result(id),
    add: (wish, by) => inTurn(() => add(parts, wish, by)),
    rename: (id, name) => inTurn(() => rename(parts, id, name)),
    setMetrics: (wish) => inTurn(() => setMetrics(parts, wish)),
    setActor: (wish) => inTurn(() => setActor(parts, wish)),
    rotateAgentToken: (id) => inTurn(() => rotateAgentToken(parts, id)),
    agentKey: (id) => agentKey(parts, id),
    remove: (id, how) => inTurn(() => remove(parts, id, how)),
    openCost: (url, window) =>
      openOpenCost({ url })
        .figures(window)
        .catch((error: unknown) => {
          throw notReady(
            `OpenCost did not answer: ${errorText(error)}`,
            'Septet’s own figures are unchanged. Check that OpenCost runs and that its address is correct, then try again.',
          )
        }),
    look: () => inTurn(() => look(parts)),
  }
}

async function add(parts: ClusterServiceParts, wish: AddWish, by: string): ReturnType<ClusterService['add']> {
  const { store, secrets, fleet } = parts
  refuseTaken(fleet, wish.name)
  refuseWrongMetrics(wish)
  if (fleet.clusters().length >= MOST_CLUSTERS) {
    throw invalidInput(`One Septet watches up to ${MOST_CLUSTERS} clusters.`, 'Remove one, or run a second.')
  }
  const document = await readConnections(store.settings)
  const { server, ...reached } = await understood(() => reachedBy(wish, parts))
  const before = document.left.find((one) => one.server === server)
  const id = before?.id ?? freeIdOf(wish.name, await takenIds(parts, document))
  const token = wish.kind === 'agent' ? newAgentToken(id) : undefined
  const stored: StoredConnection = {
    ...publicPartOf(wish),
    id,
    addedAt: parts.now(),
    addedBy: by,
    server: token === undefined ? server : agentServer(id),
    signsInBy: reached.signsInBy,
    sealed: sealCredentials(secrets, id, {
      kubeconfig: reached.kubeconfig,
      ...sealedMetrics(wish),
      ...(token === undefined ? {} : { agentKey: keyText(token) }),
    }),
  }
  await understood(() => fleet.watch(watchable(parts, stored)))
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
  return { connection: storedView(stored), continues: before !== undefined, agentToken: token?.text ?? null }
}

async function rename(parts: ClusterServiceParts, id: string, name: string): Promise<ConnectionView> {
  const { fleet } = parts
  const renamed = await changeStored(parts, id, (stored) => {
    if (name.toLowerCase() !== stored.name.toLowerCase()) refuseTaken(fleet, name)
    return { ...stored, name }
  })
  await fleet.rename(connectionRecord(renamed))
  return storedView(renamed)
}

type HowToRemove = Parameters<ClusterService['remove']>[1]

async function remove({ store, fleet }: ClusterServiceParts, id: string, how: HowToRemove): Promise<void> {
  const document = await readConnections(store.settings)
  const stored = needStored(document, fleet, id)
  if (how.confirm.trim() !== stored.name) {
    throw invalidInput(`The cluster is named "${stored.name}".`, 'Type its name to confirm.')
  }
  // Forgotten first: if the rest fails, the next start does not bring it back.
  await writeConnections(store.settings, {
    connections: document.connections.filter((one) => one.id !== id),
    left: how.deleteUsage ? document.left : [...document.left, { id, server: stored.server }],
  })
  await fleet.release(id)
  // Where another server watches it, nothing more is written of it.
  await store.leads.revoke(id)
  await store.clusters.remove(id)
  await store.agents.forget(id)
  if (!how.deleteUsage) return
  await store.usage.forget(id)
  await store.waits.forget(id)
  await store.actions.forget(id)
  await store.admissions.forget(id)
}

function refuseTaken(fleet: ClusterFleet, name: string): void {
  const isTaken = fleet.clusters().some(({ record }) => record.name.toLowerCase() === name.toLowerCase())
  if (!isTaken) return
  throw invalidInput(`There is a cluster "${name}" already.`, 'Choose another name.')
}

async function takenIds(
  { store, fleet }: ClusterServiceParts,
  { left }: ConnectionDocument,
): Promise<ReadonlySet<string>> {
  const recorded = await store.clusters.list()
  return new Set([...recorded, ...fleet.clusters().map(({ record }) => record), ...left].map(({ id }) => id))
}

type KubeconfigParts = Pick<ConnectionParts, 'door' | 'plugins'>

async function sourceOfWish(wish: ConnectionWish, parts: KubeconfigParts): Promise<ClusterSource> {
  refuseWrongMetrics(wish)
  const { plugins } = parts
  const kubeconfig = await credentialsOf(wish, parts)
  return {
    name: 'tested',
    kubeconfig: kubeconfig === IN_CLUSTER ? IN_CLUSTER : { text: kubeconfig, plugins },
    context: undefined,
    operatorNamespace: wish.operatorNamespace,
    prometheus: prometheusSource(wish),
    exporterTargets: wish.exporterTargets ?? [],
    actor: undefined,
  }
}

/** By what a cluster is reached, and what of it may be shown. Of an agent there is nothing but its token. */
async function reachedBy(wish: ConnectionWish & { readonly name: string }, parts: KubeconfigParts) {
  if (wish.kind === 'agent') {
    refuseOwnMetrics(wish)
    return { kubeconfig: '', server: agentServer(idOf(wish.name)), signsInBy: 'agent token' }
  }
  const kubeconfig = await credentialsOf(wish, parts)
  return { kubeconfig, ...contextsSeenIn(kubeconfig) }
}

/** Of a kubeconfig the chosen context alone. */
async function credentialsOf(
  { kind, kubeconfig, context }: ConnectionWish,
  { door, plugins }: KubeconfigParts,
): Promise<string> {
  if (kind === 'in-cluster') return IN_CLUSTER
  if (kind === 'agent') {
    throw invalidInput(
      'Septet cannot test a cluster that an agent reads.',
      'Add it and start the agent, which reports what it cannot read.',
    )
  }
  if (kubeconfig !== undefined) return door.kubeconfig(kubeconfig, { context, plugins })
  throw invalidInput('A connection by kubeconfig needs the kubeconfig.', 'Paste it, or choose its file.')
}

const publicPartOf = (wish: AddWish) => ({
  name: wish.name,
  operatorNamespace: wish.operatorNamespace,
  ...openMetricsSource(wish),
})

const contextView = ({ refused, ...context }: OfferedContext) => ({ ...context, refused: refused ?? null })
