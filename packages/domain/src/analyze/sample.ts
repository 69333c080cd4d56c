import type { Problem } from '../cluster/node.ts'
import type { Instant } from '../units.ts'
import type { FieldValues, SampleField } from './field-values.ts'

/** What dcgm-exporter said about one device at one moment. Fields that were not exported are absent, never 0. */
export type DeviceSample = FieldValues & {
  readonly at: Instant
  /** The host by the exporter's `Hostname` / `hostname` label, and once judged the Kubernetes node; empty where unknown. */
  readonly node: string
  /** What else may name the host, see `Located`; absent once judged. */
  readonly hosts?: readonly string[]
  readonly gpu: string
  readonly index: number
  /** `modelName` as exported. */
  readonly model: string
  /** Present on series of one GPU instance; absent on series of the whole GPU. */
  readonly instance?: { readonly id: string; readonly profile: string }
  readonly holder?: { readonly namespace: string; readonly pod: string; readonly container: string }
  /** Replica number under `--kubernetes-virtual-gpus`. */
  readonly vgpu?: string
  /** Fields that were exported but not usably: out of range, or told twice with different values. Such a field is absent. */
  readonly unusable?: Readonly<Partial<Record<SampleField, QualityReason>>>
}

/** One place that telemetry comes from (an exporter, or a Prometheus target) and how it is. */
export type TargetState = {
  readonly target: string
  readonly node: string | undefined
  readonly kind: 'up' | 'stale' | 'down'
  /** When it last gave samples. */
  readonly lastSeen: Instant | undefined
  readonly detail: string
}

/** One reading of every device of a cluster. */
export type TelemetryReading = {
  readonly at: Instant
  readonly samples: readonly DeviceSample[]
  readonly targets: readonly TargetState[]
  readonly problems: readonly Problem[]
}

/** Why a value cannot be trusted or is not there. The words are shown to people. */
export const QUALITY_REASONS = {
  'no-telemetry': 'No exporter reports this device.',
  'not-exported': 'The exporter does not export a utilization metric for this device.',
  'stuck-at-zero': 'The profiling counter stays at 0 while the GPU visibly works.',
  'missing-instance': 'The exporter does not report this MIG device.',
  'duplicated-series': 'Two exporters report this device with different values.',
  'stale-target': 'The exporter has not responded to several scrapes.',
  'not-attributable': 'Pods share the GPU by time-slicing or MPS, and the exporter does not tell them apart.',
  'holders-inferred': 'The exporter does not say which pod holds this device: it may be one of several.',
  'not-recorded': 'Nothing recorded who held the GPU then, or how busy it was.',
  'out-of-range': 'The exported value is not a number or outside its range.',
  'clock-skew': 'The sample is dated in the future or long past.',
} as const

export type QualityReason = keyof typeof QUALITY_REASONS

/** Every value carries its quality. */
export type Quality =
  | { readonly kind: 'measured' }
  | { readonly kind: 'missing'; readonly reason: QualityReason }
  | { readonly kind: 'suspect'; readonly reason: QualityReason }

/** A sample after the quality layer: its `busy` is there only when it can be trusted. */
export type JudgedSample = DeviceSample & { readonly quality: Quality }
