import {
  compareText,
  type DeviceSample,
  type FieldValues,
  type Instant,
  instant,
  type Problem,
  type QualityReason,
  SAMPLE_FIELDS,
  type SampleField,
} from '@septet/domain'

import { DCGM_METRICS, type DcgmMetric, type Scale } from './dcgm-metric.ts'
import type { DeviceLabels } from './device-labels.ts'
import { duplicateProblem } from './duplicate-problem.ts'
import { oneLevelPerGpu } from './one-level.ts'
import { readValue, saysNone } from './read-value.ts'
import type { ScaleMemory } from './scale-memory.ts'

/** Collects the series of one reading, from however many exporters, and makes one sample per device of them. */
export type DeviceFold = {
  /** Adds one series. `source` names the exporter, for people. */
  add(metric: DcgmMetric, labels: DeviceLabels, reported: Reported): void
  /** The samples, ordered by node, index and device. `at` dates those whose series carry no timestamp. */
  finish(at: Instant): { readonly samples: readonly DeviceSample[]; readonly problems: readonly Problem[] }
}

type Reported = {
  readonly value: number
  readonly source: string
  /** Milliseconds since the epoch; undefined when the series does not say. */
  readonly at: number | undefined
}

type Device = {
  readonly source: string
  readonly at: number | undefined
  labels: DeviceLabels
  /** In the order of `DCGM_METRICS`; a map for each of 20,000 devices would be most of what a reading allocates. */
  readonly values: (number | undefined)[]
  conflicts: Map<SampleField, string> | undefined
}

export function openDeviceFold(scales: ScaleMemory): DeviceFold {
  const devices = new Map<string, Device>()
  return {
    add(metric, labels, reported) {
      if (metric.scale === 'percent-or-ratio') scales.observe(metric.name, reported.value)
      const device = devices.get(labels.key)
      if (device === undefined) {
        const { source, at, value } = reported
        const values = Array.from<number | undefined>({ length: DCGM_METRICS.length })
        values[metric.at] = value
        devices.set(labels.key, { source, at, labels, values, conflicts: undefined })
        return
      }
      if (device.labels.holder === undefined && labels.holder !== undefined) device.labels = labels
      const known = device.values[metric.at]
      if (known === undefined) device.values[metric.at] = reported.value
      else if (differs(metric.scale, known, reported.value)) {
        device.conflicts ??= new Map()
        device.conflicts.set(metric.field, reported.source)
      }
    },
    finish(at) {
      const found = [...devices.values()]
      const samples = oneLevelPerGpu(found.map((device) => toSample(device, at, scales)))
      return { samples: samples.toSorted(byPlace), problems: duplicateProblem(found) }
    },
  }
}

/** Two exporters never read at the very same moment, so a small difference is the same value. */
function differs(scale: Scale, one: number, other: number): boolean {
  const tolerance = TOLERANCE[scale]
  return (
    Math.abs(one - other) > Math.max(tolerance.least, tolerance.relative * Math.max(Math.abs(one), Math.abs(other)))
  )
}

const TOLERANCE = {
  ratio: { least: 0.01, relative: 0 },
  'percent-or-ratio': { least: 0, relative: 0.02 },
  MiB: { least: 16, relative: 0.05 },
  W: { least: 5, relative: 0.05 },
  '°C': { least: 3, relative: 0 },
  code: { least: 0, relative: 0 },
} satisfies Record<Scale, { least: number; relative: number }>

type Readings = Partial<Record<SampleField, number>>
type Unusable = Partial<Record<SampleField, QualityReason>>

function toSample(device: Device, at: Instant, scales: ScaleMemory): DeviceSample {
  const { node, gpu, index, model, instance, holder, vgpu } = device.labels
  const { measured, unusable } = measure(device, scales)
  return {
    at: device.at === undefined ? at : instant(device.at),
    node,
    gpu,
    index,
    model,
    ...(instance === undefined ? {} : { instance }),
    ...(holder === undefined ? {} : { holder }),
    ...(vgpu === undefined ? {} : { vgpu }),
    ...measured,
    ...(Object.keys(unusable).length === 0 ? {} : { unusable }),
  }
}

function measure(device: Device, scales: ScaleMemory): { measured: FieldValues; unusable: Unusable }
function measure(device: Device, scales: ScaleMemory): { measured: Readings; unusable: Unusable } {
  const measured: Readings = {}
  const unusable: Unusable = {}
  for (const metric of DCGM_METRICS) {
    const raw = device.values[metric.at]
    // The older spelling comes first and wins where both are exported.
    if (raw === undefined || measured[metric.field] !== undefined) continue
    const value = readValue(metric, raw, scales)
    if (value === undefined) unusable[metric.field] = 'out-of-range'
    else if (!saysNone(metric, value)) measured[metric.field] = value
  }
  for (const field of SAMPLE_FIELDS) {
    if (measured[field] !== undefined) delete unusable[field]
    if (device.conflicts?.has(field) !== true) continue
    delete measured[field]
    unusable[field] = 'duplicated-series'
  }
  return { measured, unusable }
}

const byPlace = (a: DeviceSample, b: DeviceSample): number =>
  compareText(a.node, b.node) || a.index - b.index || compareText(a.gpu, b.gpu) || compareText(part(a), part(b))

const part = (sample: DeviceSample): string => `${sample.instance?.id ?? ''}/${sample.vgpu ?? ''}`
