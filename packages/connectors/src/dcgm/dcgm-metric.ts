import { type Field, FIELDS, SAMPLE_FIELDS, type SampleField } from '@septet/domain'

/** One metric name that dcgm-exporter may use, and what it tells. */
export type DcgmMetric = {
  readonly name: string
  /** Where it stands among all of them. */
  readonly at: number
  readonly field: SampleField
  readonly scale: Scale
  /** 0 tells that there is none. */
  readonly zeroIsNone: boolean
  /** The older of two spellings; it wins where both are exported. */
  readonly old: boolean
}

/** How the number is to be read. `percent-or-ratio` is decided by what is observed, see `scale-memory.ts`. */
export type Scale = Field['unit'] | 'percent-or-ratio'

/** Every metric that is read, older spellings first. */
export const DCGM_METRICS: readonly DcgmMetric[] = SAMPLE_FIELDS.flatMap((field) => {
  const { metrics, unit, percent, zeroIsNone }: Field = FIELDS[field]
  const scale: Scale = percent === true ? 'percent-or-ratio' : unit
  return metrics.map((name, spelling) => ({
    name,
    field,
    scale,
    zeroIsNone: zeroIsNone === true,
    old: spelling === 0,
  }))
}).map((metric, at) => ({ ...metric, at }))

const byName = new Map(DCGM_METRICS.map((metric) => [metric.name, metric]))

/** The metric of that name; undefined for one that is not read. */
export const dcgmMetric = (name: string): DcgmMetric | undefined => byName.get(name)
