import type { Store } from '@septet/domain'
import type { FastifyInstance } from 'fastify'

import type { Facts } from '../facts.ts'

/** `/healthz`: the process answers. `/readyz`: the database answers and every cluster has been tried. */
export function registerHealth(server: FastifyInstance, facts: Facts, store: Store): void {
  server.get('/healthz', (_request, reply) => reply.send({ status: 'ok' }))
  server.get('/readyz', async (_request, reply) => {
    const checks = { database: await pingOf(store), ...clusterChecks(facts) }
    const ready = Object.values(checks).every((check) => check.startsWith('ok'))
    return reply.status(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', checks })
  })
}

async function pingOf(store: Store): Promise<string> {
  try {
    await store.ping()
    return 'ok'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** A cluster that is away does not make Septet unready: what is stored of it can still be read. */
function clusterChecks(facts: Facts): Record<string, string> {
  return Object.fromEntries(
    facts.clusters().map((cluster) => {
      const tried = cluster.connection().kind !== 'connecting' || cluster.size() !== undefined
      return [`cluster ${cluster.record.id}`, tried ? `ok (${cluster.connection().kind})` : 'first sync is going on']
    }),
  )
}
