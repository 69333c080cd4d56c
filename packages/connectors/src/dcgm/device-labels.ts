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
  readonly vgpu: string | undefined
  /** What of the device the series tells, where that is a label: an engine, a sensor. Empty: its metric says it. */
  readonly about: string
  /** The tile or engine that it tells of; empty for the whole device. */
  readonly part: string
  /** It is divided into partitions, of which only the board's figures are told. */
  readonly divided: boolean
}
