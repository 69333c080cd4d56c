import { ValueType, type HrTime } from '@opentelemetry/api'
import { emptyResource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  DataPointType,
  type DataPoint,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import type { Registry } from 'prom-client'

type Metric = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number]
type Value = Metric['values'][number]

/** The series of a registry of Prometheus as OpenTelemetry sends them: the very same numbers under the same names. */
export function registryProducer(registry: Registry): MetricProducer {
  const startTime = timeOf(Date.now() - process.uptime() * 1000)
  return {
    async collect() {
      const at = { startTime, endTime: timeOf(Date.now()) }
      const metrics = (await registry.getMetricsAsJSON()).flatMap((metric) => dataOf(metric, at))
      return {
        resourceMetrics: { resource: emptyResource(), scopeMetrics: [{ scope: { name: 'septet' }, metrics }] },
        errors: [],
      }
    },
  }
}

type At = Pick<DataPoint<unknown>, 'startTime' | 'endTime'>

const timeOf = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)]

function dataOf(metric: Metric, at: At): MetricData[] {
  const { name, help, values } = metric
  if (values.length === 0) return []
  const base = {
    descriptor: { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  // prom-client says by name what its enumeration says by number.
  const type = String(metric.type)
  if (type === 'histogram')
    return [{ ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramsOf(values, at) }]
  const dataPoints = values.map(({ labels, value }) => ({ ...at, attributes: { ...labels }, value }))
  if (type === 'counter') return [{ ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }]
  return type === 'gauge' ? [{ ...base, dataPointType: DataPointType.GAUGE, dataPoints }] : []
}

const unitOf = (name: string): string =>
  /_seconds(?:_|$)/u.test(name) ? 's' : /_bytes(?:_|$)/u.test(name) ? 'By' : '1'

/** Prometheus counts up to each bound, OpenTelemetry between two of them. */
function histogramsOf(values: readonly Value[], at: At): DataPoint<Histogram>[] {
  const bySeries = Map.groupBy(values, ({ labels: { le: _le, ...labels } }) => JSON.stringify(labels))
  return [...bySeries].map(([labels, series]) => {
    const buckets = series.filter((one) => one.labels['le'] !== undefined)
    const upTo = buckets.map(({ value }) => value)
    const ending = (end: string): number => series.find((one) => nameOf(one).endsWith(end))?.value ?? 0
    return {
      ...at,
      attributes: JSON.parse(labels),
      value: {
        buckets: {
          boundaries: buckets.map((one) => Number(one.labels['le'])).filter(Number.isFinite),
          counts: upTo.map((count, order) => count - (upTo[order - 1] ?? 0)),
        },
        sum: ending('_sum'),
        count: ending('_count'),
      },
    }
  })
}

const nameOf = (value: Value): string => ('metricName' in value ? String(value.metricName) : '')
