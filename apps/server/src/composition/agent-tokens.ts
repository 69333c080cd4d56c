import { invalidInput } from '@septet/contract'
import type { Store } from '@septet/domain'
import { newAgentToken, type AgentToken } from '@septet/plan-files'

import type { ClusterService, ConnectionWish } from '../operations/clusters/cluster-service.ts'
import { storedView } from './connection-view.ts'
import { changeStored, type ConnectionParts } from './change-connection.ts'
import { withCredentials, credentialsIn, isByAgent, readConnections } from './stored-connections.ts'

/** By what agents are known. */
export type AgentKeys = {
  /** What the agent of a cluster signs with; undefined where no agent reads a cluster of that id. */
  agentKey(id: string): Promise<Uint8Array | undefined>
}

type Parts = ConnectionParts & { readonly store: Pick<Store, 'settings' | 'agents'> }

export const keyText = ({ key }: AgentToken): string => Buffer.from(key).toString('base64')

export async function agentKey(
  { store, secrets }: Pick<ConnectionParts, 'store' | 'secrets'>,
  id: string,
): Promise<Uint8Array | undefined> {
  const { connections } = await readConnections(store.settings)
  const stored = connections.find((one) => one.id === id && isByAgent(one))
  const kept = stored && credentialsIn(secrets, stored).agentKey
  return kept === undefined ? undefined : Buffer.from(kept, 'base64')
}

/** Ends the token of an agent by making another: no key is kept beside it. */
export async function rotateAgentToken(parts: Parts, id: string): ReturnType<ClusterService['rotateAgentToken']> {
  const { agents } = parts.store
  const token = newAgentToken(id)
  const changed = await changeStored(parts, id, (before) => {
    if (isByAgent(before)) return withCredentials(parts.secrets, before, { agentKey: keyText(token) })
    throw invalidInput(
      `${before.name} is not read by an agent, so it has no agent token.`,
      'Add it again as a cluster that an agent reads.',
    )
  })
  const agent = await agents.seen(id)
  // Anyone who held the place may not come back, so it is free.
  if (agent !== undefined) await agents.leave(id, agent.instance)
  return { connection: storedView(changed, agent), agentToken: token.text }
}

/** The agent is told where metrics are, not Septet. */
export function refuseOwnMetrics({ prometheusUrl, exporterTargets = [] }: ConnectionWish): void {
  if (prometheusUrl === undefined && exporterTargets.length === 0) return
  throw invalidInput(
    'An agent reads the metrics of its cluster itself.',
    'Leave them out here, and start the agent with --prometheus or --exporter.',
  )
}
