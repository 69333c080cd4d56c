import { theLast, type Store } from '@septet/domain'
import { Gauge, type Registry } from 'prom-client'

import type { ClusterFacts, Facts } from '../facts.ts'

const MOST = 1000
const PATIENCE_MS = 1000

/** What the PrometheusRule of the alerts asks of Septet itself: figures that are made nowhere else. */
export function registerAlertGauges(
  registry: Registry,
  { facts, store }: { readonly facts: Facts; readonly store: Store },
): void {
  registry.registerMetric(
    new Gauge({
      name: 'septet_alert_firing',
      help: '1 for each alert that fires; an alert that does not fire has no series.',
      labelNames: ['cluster', 'kind', 'severity', 'object', 'namespace'],
      registers: [],
      async collect() {
        this.reset()
        for (const { record } of facts.clusters()) {
          const firing = await store.alerts.list({ cluster: record.id, statuses: ['firing'], limit: MOST })
          for (const { kind, severity, object, namespace = '' } of firing) {
            this.set({ cluster: record.id, kind, severity, object, namespace }, 1)
          }
        }
      },
    }),
  )
  const ofAllocated = (name: string, help: string, read: (figure: BusyOfAllocated) => number | undefined): void =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: ['cluster'],
        registers: [],
        async collect() {
          this.reset()
          for (const cluster of facts.clusters()) {
            const figure = await busyOf(cluster)
            const value = figure === undefined ? undefined : read(figure)
            if (value !== undefined) this.set({ cluster: cluster.record.id }, value)
          }
        },
      }),
    )
  ofAllocated(
    'septet_busy_of_allocated_ratio',
    'Busy share of the GPU time that was held and measured in the last 24 hours; absent where it is unknown.',
    (figure) => (figure.kind === 'known' ? figure.value : undefined),
  )
  ofAllocated(
    'septet_busy_of_allocated_coverage_ratio',
    'Measured share of the GPU time that was held in the last 24 hours.',
    ({ coverage }) => coverage,
  )
}

type BusyOfAllocated = NonNullable<Awaited<ReturnType<typeof busyOf>>>

/** A scrape does not wait for a cluster that nothing is known of yet. */
async function busyOf(cluster: ClusterFacts) {
  if (cluster.size() === undefined) return undefined
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), PATIENCE_MS)
  const day = await Promise.race([cluster.analysis(theLast('24h')).catch(() => undefined), late.promise])
  clearTimeout(timer)
  return day?.analysis.utilization.busyOfAllocated
}
