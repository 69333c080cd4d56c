import { Refusal } from '@septet/contract'
import type { Secrets } from '@septet/auth'
import type { Store } from '@septet/domain'
import { newAgentToken, type AgentToken } from '@septet/plan-files'

import type { ClusterService, ConnectionWish } from '../operations/clusters/cluster-service.ts'
import type { ClusterFleet } from './cluster-fleet.ts'
import { storedView } from './connection-view.ts'
import { needStored } from './keep-changed.ts'
import { credentialsIn, isByAgent, readConnections, sealCredentials, writeConnections } from './stored-connections.ts'

/** By what agents are known. */
export type AgentKeys = {
  /** What the agent of a cluster signs with; undefined where no agent reads a cluster of that id. */
  agentKey(id: string): Promise<Uint8Array | undefined>
}

type Parts = {
  readonly store: Pick<Store, 'settings' | 'agents'>
  readonly secrets: Pick<Secrets, 'seal' | 'unseal'>
  readonly fleet: ClusterFleet
}

export const keyText = ({ key }: AgentToken): string => Buffer.from(key).toString('base64')

export async function agentKey({ store, secrets }: Parts, id: string): Promise<Uint8Array | undefined> {
  const { connections } = await readConnections(store.settings)
  const stored = connections.find((one) => one.id === id && isByAgent(one))
  const kept = stored && credentialsIn(secrets, stored).agentKey
  return kept === undefined ? undefined : Buffer.from(kept, 'base64')
}

/** Ends the token of an agent by making another: no key is kept beside it. */
export async function rotateAgentToken(
  { store, secrets, fleet }: Parts,
  id: string,
): ReturnType<ClusterService['rotateAgentToken']> {
  const document = await readConnections(store.settings)
  const before = needStored(document, fleet, id)
  if (!isByAgent(before)) {
    throw new Refusal(
      'invalid-input',
      `${before.name} is not read by an agent, so it has no agent token.`,
      'Add it again as a cluster that an agent reads.',
    )
  }
  const token = newAgentToken(id)
  const credentials = { ...credentialsIn(secrets, before), agentKey: keyText(token) }
  const changed = { ...before, sealed: sealCredentials(secrets, id, credentials) }
  await writeConnections(store.settings, {
    ...document,
    connections: document.connections.map((one) => (one.id === id ? changed : one)),
  })
  const agent = await store.agents.seen(id)
  // Anyone who held the place may not come back, so it is free.
  if (agent !== undefined) await store.agents.leave(id, agent.instance)
  return { connection: storedView(changed, agent), agentToken: token.text }
}

/** The agent is told where metrics are, not Septet. */
export function refuseOwnMetrics({ prometheusUrl, exporterTargets = [] }: ConnectionWish): void {
  if (prometheusUrl === undefined && exporterTargets.length === 0) return
  throw new Refusal(
    'invalid-input',
    'An agent reads the metrics of its cluster itself.',
    'Leave them out here, and start the agent with --prometheus or --exporter.',
  )
}
