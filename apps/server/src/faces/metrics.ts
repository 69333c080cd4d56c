import type { Store, Caller } from '@septet/domain'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

import type { Gate } from '@septet/auth'
import type { Facts } from '../facts.ts'
import { notSignedIn, Refusal } from '@septet/contract'
import { registerAlertGauges } from './alert-metrics.ts'

/** Septet's own metrics, all under one prefix. */
export type Metrics = {
  readonly registry: Registry
  /** Seconds of one turn of a pipeline stage. */
  readonly stage: Histogram<'cluster' | 'stage'>
}

export function openMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'septet_' })
  return {
    registry,
    stage: new Histogram({
      name: 'septet_stage_duration_seconds',
      help: 'Duration of one turn of a pipeline stage.',
      labelNames: ['cluster', 'stage'],
      buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15],
      registers: [registry],
    }),
  }
}

type MetricsNeeds = { readonly facts: Facts; readonly gate: Gate; readonly store: Store }

/**
 * `GET /metrics`, with the duration of every request and the state of every cluster: for callers who may see all of
 * them, and for anyone while there is nothing but a demo cluster that is open to visitors.
 */
export function registerMetrics(
  server: FastifyInstance,
  { registry }: Metrics,
  { facts, gate, store }: MetricsNeeds,
): void {
  const requests = new Histogram({
    name: 'septet_http_request_duration_seconds',
    help: 'Duration of answered requests by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  })
  registerClusterGauges(registry, facts)
  registerAlertGauges(registry, { facts, store })
  server.addHook('onResponse', (request, reply, done) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: String(reply.statusCode),
    }
    requests.observe(labels, reply.elapsedTime / 1000)
    done()
  })
  server.get('/metrics', async (request, reply) => {
    needWholeView(await gate.caller(request), facts)
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

function needWholeView(caller: Caller, facts: Facts): void {
  const seen = caller.clusters
  const seesAll = seen === undefined || facts.clusters().every(({ record }) => seen.includes(record.id))
  if (seesAll && caller.namespaces === undefined) return
  if (caller.kind === 'visitor') throw notSignedIn('These metrics include clusters that visitors cannot see.')
  throw new Refusal(
    'not-allowed',
    `These metrics cover every cluster; ${caller.name} may see only some.`,
    'Use an API token that is not limited to clusters or namespaces.',
  )
}

function registerClusterGauges(registry: Registry, facts: Facts): void {
  const register = (
    name: string,
    help: string,
    read: (cluster: ReturnType<Facts['clusters']>[number]) => number | undefined,
  ): void => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: ['cluster'],
      registers: [],
      collect() {
        this.reset()
        for (const cluster of facts.clusters()) {
          const value = read(cluster)
          if (value !== undefined) this.set({ cluster: cluster.record.id }, value)
        }
      },
    })
    registry.registerMetric(gauge)
  }
  register('septet_cluster_connected', '1 while the API server of the cluster answers.', (cluster) =>
    cluster.connection().kind === 'connected' ? 1 : 0,
  )
  register('septet_cluster_as_of_timestamp_seconds', 'When the newest data of the cluster was read.', (cluster) => {
    const asOf = cluster.asOf()
    return asOf === undefined ? undefined : asOf / 1000
  })
  register(
    'septet_cluster_devices',
    'GPUs and GPU instances in the last reading.',
    (cluster) => cluster.size()?.devices,
  )
  register('septet_cluster_problems', 'Problems that are open.', (cluster) => cluster.problems().length)
}
