import type { Field, SampleField } from '@septet/domain'

/** Whose names a series has: dcgm-exporter's, AMD's device-metrics-exporter's, or Intel XPU Manager's. */
export type Exporter = 'dcgm' | 'amd' | 'intel'

/** What the labels of one series say about whose it is. */
export type DeviceLabels = {
  readonly exporter: Exporter
  /** The same for all series of one device: GPU, GPU instance, profile and replica. GPU_I_ID alone is reused. */
  readonly key: string
  readonly node: string
  readonly gpu: string
  readonly index: number
  readonly model: string
  readonly instance: { readonly id: string; readonly profile: string } | undefined
  readonly holder: { readonly namespace: string; readonly pod: string; readonly container: string } | undefined
  /** What else may name the host, see `Located`. */
  readonly hosts: readonly string[]
  readonly vgpu: string | undefined
  /** What of the device the series tells, where that is a label: an engine, a sensor. Empty: its metric says it. */
  readonly about: string
  /** The tile or engine that it tells of; empty for the whole device. */
  readonly part: string
  /** It is divided into partitions, of which only the board's figures are told. */
  readonly divided: boolean
}

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
