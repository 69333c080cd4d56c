import { errorText } from '@septet/domain/words'
import type { Store, Caller } from '@septet/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { Gate } from '@septet/auth'
import type { Facts } from '../facts.ts'

export type HealthNeeds = { readonly facts: Facts; readonly store: Pick<Store, 'ping'>; readonly gate: Gate }

/**
 * `/healthz`: the process answers. `/readyz`: the database answers and every cluster has been tried. Both answer anyone,
 * as probes do; names of clusters and addresses are for callers who may see them.
 */
export function registerHealth(server: FastifyInstance, { facts, store, gate }: HealthNeeds): void {
  server.get('/healthz', (_request, reply) => reply.send({ status: 'ok' }))
  server.get('/readyz', async (request, reply) => {
    const caller = await whoAsks(gate, request)
    const database = await pingOf(store)
    const hidden = database !== 'ok' && (caller === undefined || caller.kind === 'visitor')
    const checks = {
      database: hidden ? 'does not answer; the log of the server says why.' : database,
      ...clusterChecks(facts, caller),
    }
    const ready = Object.values(checks).every((check) => check.startsWith('ok'))
    return reply.status(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', checks })
  })
}

/** Undefined for whoever is refused, and while nobody can say. */
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

/** A cluster that is away does not make Septet unready: what is stored of it can still be read. */
function clusterChecks(facts: Facts, caller: Caller | undefined): Record<string, string> {
  return Object.fromEntries(
    facts.clusters().map((cluster, order) => {
      const { id } = cluster.record
      const known = caller !== undefined && (caller.clusters === undefined || caller.clusters.includes(id))
      const tried = cluster.connection().kind !== 'connecting' || cluster.size() !== undefined
      const name = known ? id : String(order + 1)
      return [`cluster ${name}`, tried ? `ok (${cluster.connection().kind})` : 'first sync is going on']
    }),
  )
}
