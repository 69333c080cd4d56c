import { theLast, type Store, type Caller } from '@septet/domain'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

import type { ClusterFacts, Facts } from '../facts.ts'
import { notSignedIn, notAllowed } from '@septet/contract'
import { inTime } from '../in-time.ts'
import type { ThisServer } from '../operations/settings/status-lines.ts'
import type { CallerOf } from './call-limits.ts'
import { registerSelfMetrics } from './self-metrics.ts'

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

/** Of all servers one has the series of a cluster, for as long as it is sure to lead. */
export function registerLeadGauge({ registry }: Metrics, leading: () => readonly string[]): void {
  const gauge: Gauge = new Gauge({
    name: 'septet_leads',
    help: '1 for each cluster that this server watches.',
    labelNames: ['cluster'],
    registers: [],
    collect() {
      this.reset()
      for (const cluster of leading()) this.set({ cluster }, 1)
    },
  })
  registry.registerMetric(gauge)
}

type MetricsNeeds = {
  readonly facts: Facts
  readonly callerOf: CallerOf
  readonly store: Store
  readonly thisServer: ThisServer
  readonly now: () => number
}

/**
 * `GET /metrics`, with the duration of every request and the state of every cluster: for callers who may see all of
 * them, and for anyone while there is nothing but a demo cluster that is open to visitors.
 */
export function registerMetrics(
  server: FastifyInstance,
  { registry }: Metrics,
  { facts, callerOf, store, thisServer, now }: MetricsNeeds,
): void {
  const requests = new Histogram({
    name: 'septet_http_request_duration_seconds',
    help: 'Duration of answered requests by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  })
  registerClusterGauges(registry, facts)
  registerAlertGauge(registry, facts, store)
  registerSelfMetrics(registry, { facts, thisServer, now })
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
    needWholeView(await callerOf(request, reply), facts)
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

function needWholeView(caller: Caller, facts: Facts): void {
  const seen = caller.clusters
  const seesAll = seen === undefined || facts.clusters().every(({ record }) => seen.includes(record.id))
  if (seesAll && caller.namespaces === undefined) return
  if (caller.kind === 'visitor') throw notSignedIn('These metrics include clusters that visitors cannot see.')
  throw notAllowed(
    `These metrics cover every cluster; ${caller.name} may see only some.`,
    'Use an API token that is not limited to clusters or namespaces.',
  )
}

type ClusterGauge = {
  readonly name: string
  readonly help: string
  /** Undefined: no series. */
  readonly read: (cluster: ClusterFacts) => number | undefined | Promise<number | undefined>
}

/** Of each cluster. */
const GAUGES: readonly ClusterGauge[] = [
  {
    name: 'septet_cluster_connected',
    help: '1 while the API server of the cluster answers.',
    read: (cluster) => Number(cluster.connection().kind === 'connected'),
  },
  {
    name: 'septet_cluster_as_of_timestamp_seconds',
    help: 'When the newest data of the cluster was read.',
    read: (cluster) => {
      const asOf = cluster.asOf()
      return asOf && asOf / 1000
    },
  },
  {
    name: 'septet_cluster_devices',
    help: 'GPUs and GPU instances in the last reading.',
    read: (cluster) => cluster.size()?.devices,
  },
  {
    name: 'septet_cluster_problems',
    help: 'Problems that are open.',
    read: (cluster) => cluster.problems().length,
  },
  {
    name: 'septet_busy_of_allocated_ratio',
    help: 'Busy share of the GPU time that was held and measured in the last 24 hours; absent where it is unknown.',
    read: async (cluster) => {
      const figure = await busyOf(cluster)
      return figure?.kind === 'known' ? figure.value : undefined
    },
  },
  {
    name: 'septet_busy_of_allocated_coverage_ratio',
    help: 'Measured share of the GPU time that was held in the last 24 hours.',
    read: async (cluster) => (await busyOf(cluster))?.coverage,
  },
  {
    name: 'septet_unobserved_hour_ratio',
    help: 'Share of the GPU time of the last hour that was not observed; absent where it is unknown.',
    read: (cluster) => unobservedOf(cluster, '1h'),
  },
  {
    name: 'septet_unobserved_day_ratio',
    help: 'Share of the GPU time of the last 24 hours that was not observed; absent where it is unknown.',
    read: (cluster) => unobservedOf(cluster, '24h'),
  },
  {
    name: 'septet_unwritten_usage_rows',
    help: 'Usage rows that wait to be written to the database.',
    read: (cluster) => cluster.health()?.unwrittenRows,
  },
  {
    name: 'septet_backfill_remaining_buckets',
    help: 'Buckets of past usage that are still to be read from the metrics engine.',
    read: (cluster) => {
      const history = cluster.history()
      if (history !== undefined) return history.of - history.done
      // Before the first try nothing is known of what there is to read.
      const backfill = cluster.health()?.loops.find(({ name }) => name === 'backfill')
      return backfill?.okAt === undefined ? undefined : 0
    },
  },
]

function registerClusterGauges(registry: Registry, facts: Facts): void {
  for (const { name, help, read } of GAUGES) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: ['cluster'],
      registers: [],
      async collect() {
        this.reset()
        for (const cluster of facts.clusters()) {
          const value = await read(cluster)
          if (value !== undefined) this.set({ cluster: cluster.record.id }, value)
        }
      },
    })
    registry.registerMetric(gauge)
  }
}

const PATIENCE_MS = 1000

/** A scrape does not wait for a cluster that nothing is known of yet. */
async function analysisOf(cluster: ClusterFacts, range: '1h' | '24h') {
  if (cluster.size() === undefined) return undefined
  const asked = cluster.analysis(theLast(range)).catch(() => undefined)
  return (await inTime(PATIENCE_MS, asked))?.analysis
}

const busyOf = async (cluster: ClusterFacts) => (await analysisOf(cluster, '24h'))?.utilization.busyOfAllocated

/** The share of the GPU time that no reading and no metrics engine tells of; undefined where no time is known. */
async function unobservedOf(cluster: ClusterFacts, range: '1h' | '24h'): Promise<number | undefined> {
  const hours = (await analysisOf(cluster, range))?.cost.fleet.hours
  return hours === undefined || hours.capacity <= 0 ? undefined : hours.unobserved / hours.capacity
}

const MOST_ALERTS = 1000

/** What the PrometheusRule of the alerts asks of Septet itself. */
function registerAlertGauge(registry: Registry, facts: Facts, store: Store): void {
  registry.registerMetric(
    new Gauge({
      name: 'septet_alert_firing',
      help: '1 for each alert that fires; an alert that does not fire has no series.',
      labelNames: ['cluster', 'kind', 'severity', 'object', 'namespace'],
      registers: [],
      async collect() {
        this.reset()
        for (const { record } of facts.clusters()) {
          // While the database is away no alert is known, and everything else still is.
          const asked = store.alerts.list({ cluster: record.id, statuses: ['firing'], limit: MOST_ALERTS })
          const firing = await asked.catch(() => [])
          for (const { kind, severity, object, namespace = '' } of firing) {
            this.set({ cluster: record.id, kind, severity, object, namespace }, 1)
          }
        }
      },
    }),
  )
}
