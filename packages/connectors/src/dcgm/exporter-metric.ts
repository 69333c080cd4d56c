import type { Field, SampleField } from '@septet/domain'

import type { Exporter } from './device-labels.ts'

/** One metric name that an exporter may use, and what it tells. */
export type ExporterMetric = {
  readonly name: string
  readonly exporter: Exporter
  readonly field: SampleField
  readonly scale: MetricScale
  /** 0 tells that there is none. */
  readonly zeroIsNone: boolean
  /** The older of two spellings; it wins where both are exported. */
  readonly old: boolean
  /** What of the device it must be about, where one name tells of several things; undefined: whatever it is about. */
  readonly about: readonly string[] | undefined
}

/** How the number is to be read. `percent-or-ratio` is decided by what is observed, see `scale-memory.ts`. */
export type MetricScale = Field['unit'] | 'percent-or-ratio' | 'percent' | 'bytes'
