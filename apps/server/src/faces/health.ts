import { errorText } from '@septet/domain/words'
import type { Store, Caller } from '@septet/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { Gate } from '@septet/auth'
import type { Facts } from '../facts.ts'

export type HealthNeeds = { readonly facts: Facts; readonly store: Pick<Store, 'ping'>; readonly gate: Gate }

/**
 * `/healthz`: the process answers. `/readyz`: the database answers and every cluster has been tried, so that Septet can
 * answer; 200 says no more. What does not work all the same is said beside it, and `status` is `degraded` then. Both answer
 * anyone, as probes do; names of clusters and addresses are for callers who may see them.
 */
export function registerHealth(server: FastifyInstance, { facts, store, gate }: HealthNeeds): void {
  server.get('/healthz', (_request, reply) => reply.send({ status: 'ok' }))
  server.get('/readyz', async (request, reply) => {
    const caller = await whoAsks(gate, request)
    const database = await pingOf(store)
    const hidden = caller === undefined || caller.kind === 'visitor'
    const checks: Readonly<Record<string, Check>> = {
      database:
        database === 'ok'
          ? { state: 'ok', said: 'ok' }
          : { state: 'not ready', said: hidden ? 'is not responding; the log of the server says why.' : database },
      ...clusterChecks(facts, caller),
    }
    const said = Object.values(checks)
    const ready = !said.some(({ state }) => state === 'not ready')
    const well = said.every(({ state }) => state === 'ok')
    return reply.status(ready ? 200 : 503).send({
      status: ready ? (well ? 'ready' : 'degraded') : 'not ready',
      checks: Object.fromEntries(Object.entries(checks).map(([name, { said: words }]) => [name, words])),
    })
  })
}

/** Undefined for anyone who is refused, and while nobody can say. */
const whoAsks = (gate: Gate, request: FastifyRequest): Promise<Caller | undefined> =>
  gate.caller(request).catch(() => undefined)

async function pingOf(store: Pick<Store, 'ping'>): Promise<string> {
  try {
    await store.ping()
    return 'ok'
  } catch (error) {
    return errorText(error)
  }
}

type Check = {
  /** `degraded`: Septet answers all the same. */
  readonly state: 'ok' | 'degraded' | 'not ready'
  readonly said: string
}

/** A cluster that is away does not make Septet unready: what is stored of it can still be read. It is not ok either. */
function clusterChecks(facts: Facts, caller: Caller | undefined): Record<string, Check> {
  return Object.fromEntries(
    facts.clusters().map((cluster, order) => {
      const { id } = cluster.record
      const known = caller !== undefined && (caller.clusters === undefined || caller.clusters.includes(id))
      return [`cluster ${known ? id : String(order + 1)}`, clusterCheck(cluster)]
    }),
  )
}

function clusterCheck(cluster: ReturnType<Facts['clusters']>[number]): Check {
  const { kind } = cluster.connection()
  const stored = cluster.size() !== undefined
  if (kind === 'connected') return { state: 'ok', said: 'ok' }
  if (kind === 'disconnected') {
    const works = stored ? 'what was read before is shown with its time.' : 'nothing was read of it yet.'
    return { state: 'degraded', said: `is not responding; ${works} Its screen says why.` }
  }
  return stored
    ? { state: 'degraded', said: 'is being connected; what was read before is shown with its time.' }
    : { state: 'not ready', said: 'first sync is going on.' }
}
