import { type Field, FIELDS, SAMPLE_FIELDS, type SampleField } from '@septet/domain'
import type { DeviceLabels, Exporter, ExporterMetric, MetricScale } from './device-labels.ts'
import { OTHER_METRICS } from './other-metrics.ts'

/** A metric, and where it stands among all of them. */
export type DeviceMetric = ExporterMetric & { readonly at: number }

const ofDcgm = (field: SampleField) => {
  const { metrics, unit, percent, zeroIsNone }: Field = FIELDS[field]
  const scale: MetricScale = percent === true ? 'percent-or-ratio' : unit
  const exporter: Exporter = 'dcgm'
  return metrics.map((name, spelling) => ({
    name,
    exporter,
    field,
    scale,
    zeroIsNone: zeroIsNone === true,
    old: spelling === 0,
    about: undefined,
  }))
}

/** Every metric that is read, field by field, of one exporter older spellings first. */
export const DEVICE_METRICS: readonly DeviceMetric[] = SAMPLE_FIELDS.flatMap((field) => [
  ...ofDcgm(field),
  ...OTHER_METRICS.filter((metric) => metric.field === field),
]).map((metric, at) => ({ ...metric, at }))

const byName = Map.groupBy(DEVICE_METRICS, ({ name }) => name)
const NONE: readonly DeviceMetric[] = []

/** The metrics of that name, which may tell of several things; none for one that is not read. */
export const deviceMetrics = (name: string): readonly DeviceMetric[] => byName.get(name) ?? NONE

/** Names under which a field is exported. */
export const metricNames = (field: SampleField): readonly string[] => [
  ...new Set(DEVICE_METRICS.filter((metric) => metric.field === field).map(({ name }) => name)),
]

/** Whether a series with these labels tells the metric: names of several exporters are alike. */
export const tells = ({ exporter, about, field }: DeviceMetric, labels: DeviceLabels): boolean =>
  exporter === labels.exporter &&
  (about === undefined || about.includes(labels.about)) &&
  (!labels.divided || FIELDS[field].of === 'board')
