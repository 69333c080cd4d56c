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
  FIELDS,
} from '@septet/domain'
import { DEVICE_METRICS, type DeviceMetric, tells } from './device-metric.ts'
import type { DeviceLabels, MetricScale } from './device-labels.ts'
import { type ScaleMemory, readValue, saysNone } from './scale-memory.ts'

/**
 * Keeps one level per GPU. Depending on its device option an exporter gives a cut GPU as instances, as a whole, or
 * both; adding both up would count it twice. With instances present, the whole GPU only lends them its board-level
 * fields, which then read as the board's: they must not be added up over instances.
 */
function oneLevelPerGpu(samples: readonly DeviceSample[]): DeviceSample[] {
  const cut = new Set(samples.filter((sample) => sample.instance !== undefined).map((sample) => sample.gpu))
  if (cut.size === 0) return [...samples]
  const boards = new Map<string, DeviceSample>()
  for (const sample of samples) if (isWhole(sample) && cut.has(sample.gpu)) boards.set(sample.gpu, sample)
  return samples
    .filter((sample) => !(isWhole(sample) && cut.has(sample.gpu)))
    .map((sample) => (cut.has(sample.gpu) ? lend(boards.get(sample.gpu), sample) : sample))
}

const isWhole = (sample: DeviceSample): boolean => sample.instance === undefined

const BOARD_FIELDS = SAMPLE_FIELDS.filter((field) => FIELDS[field].of === 'board')

function lend(board: DeviceSample | undefined, sample: DeviceSample): DeviceSample {
  if (board === undefined) return sample
  const lent = BOARD_FIELDS.flatMap((field) => (board[field] === undefined ? [] : [[field, board[field]]]))
  return { ...Object.fromEntries(lent), ...sample }
}

/** Collects the series of one reading, from however many exporters, and makes one sample per device of them. */
export type DeviceFold = {
  /** Adds one series. `source` names the exporter, for people. */
  add(metric: DeviceMetric, labels: DeviceLabels, reported: Reported): void
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
  /** In the order of `DEVICE_METRICS`; a map for each of 20,000 devices would be most of what a reading allocates. */
  readonly values: (number | undefined)[]
  /** Of metrics that are told of its parts: values by part. */
  parts: Map<DeviceMetric, Map<string, number>> | undefined
  conflicts: Map<SampleField, string> | undefined
}

export function openDeviceFold(scales: ScaleMemory): DeviceFold {
  const devices = new Map<string, Device>()
  return {
    add(metric, labels, reported) {
      if (!tells(metric, labels)) return
      if (metric.scale === 'percent-or-ratio') scales.observe(metric.name, reported.value)
      const device = devices.get(labels.key) ?? openDevice(labels, reported)
      devices.set(labels.key, device)
      if (device.labels.holder === undefined && labels.holder !== undefined) device.labels = labels
      if (labels.part === '') tell(device, metric, reported)
      else tellPart(device, metric, { part: labels.part, value: reported.value })
    },
    finish(at) {
      const found = [...devices.values()]
      const samples = oneLevelPerGpu(found.map((device) => toSample(device, at, scales)))
      return { samples: samples.toSorted(byPlace), problems: duplicateProblem(found) }
    },
  }
}

const openDevice = (labels: DeviceLabels, { source, at }: Reported): Device => ({
  source,
  at,
  labels,
  values: Array.from<number | undefined>({ length: DEVICE_METRICS.length }),
  parts: undefined,
  conflicts: undefined,
})

function tell(device: Device, metric: DeviceMetric, { value, source }: Reported): void {
  const known = device.values[metric.at]
  if (known === undefined) device.values[metric.at] = value
  else if (differs(metric.scale, known, value)) {
    device.conflicts ??= new Map()
    device.conflicts.set(metric.field, source)
  }
}

type OfPart = { readonly part: string; readonly value: number }

function tellPart(device: Device, metric: DeviceMetric, { part, value }: OfPart): void {
  device.parts ??= new Map()
  device.parts.set(metric, (device.parts.get(metric) ?? new Map<string, number>()).set(part, value))
}

/** What is told of the device, else what its parts make together. */
function valueOf({ values, parts }: Device, metric: DeviceMetric): number | undefined {
  const own = values[metric.at]
  const ofParts = own === undefined ? parts?.get(metric) : undefined
  return ofParts === undefined ? own : TOGETHER[metric.scale]([...ofParts.values()])
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
const mean = (values: readonly number[]): number => sum(values) / values.length
const most = (values: readonly number[]): number => Math.max(...values)
const TOGETHER = {
  ratio: mean,
  'percent-or-ratio': mean,
  percent: mean,
  MiB: sum,
  bytes: sum,
  W: sum,
  '°C': most,
  code: most,
} satisfies Record<MetricScale, (values: readonly number[]) => number>

/** Two exporters never read at the very same moment, so a small difference is the same value. */
function differs(scale: MetricScale, one: number, other: number): boolean {
  const tolerance = TOLERANCE[scale]
  return (
    Math.abs(one - other) > Math.max(tolerance.least, tolerance.relative * Math.max(Math.abs(one), Math.abs(other)))
  )
}

const TOLERANCE = {
  ratio: { least: 0.01, relative: 0 },
  'percent-or-ratio': { least: 0, relative: 0.02 },
  percent: { least: 1, relative: 0 },
  bytes: { least: 16 * 1024 ** 2, relative: 0.05 },
  MiB: { least: 16, relative: 0.05 },
  W: { least: 5, relative: 0.05 },
  '°C': { least: 3, relative: 0 },
  code: { least: 0, relative: 0 },
} satisfies Record<MetricScale, { least: number; relative: number }>

type Readings = Partial<Record<SampleField, number>>
type Unusable = Partial<Record<SampleField, QualityReason>>

function toSample(device: Device, at: Instant, scales: ScaleMemory): DeviceSample {
  const { node, gpu, index, model, instance, holder, vgpu, hosts } = device.labels
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
    ...(hosts.length === 0 ? {} : { hosts }),
    ...measured,
    ...(Object.keys(unusable).length === 0 ? {} : { unusable }),
  }
}

function measure(device: Device, scales: ScaleMemory): { measured: FieldValues; unusable: Unusable }
function measure(device: Device, scales: ScaleMemory): { measured: Readings; unusable: Unusable } {
  const measured: Readings = {}
  const unusable: Unusable = {}
  for (const metric of DEVICE_METRICS) {
    const raw = valueOf(device, metric)
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

/** One sentence for all devices that are reported with different values; none when there is no such device. */
function duplicateProblem(devices: readonly Device[]): Problem[] {
  const doubled = devices.filter((device) => device.conflicts !== undefined).toSorted(byKey)
  const [first] = doubled
  if (first?.conflicts === undefined) return []
  const { source, labels } = first
  const [other = ''] = first.conflicts.values()
  const more = doubled.length === 1 ? '' : `, and ${doubled.length - 1} more devices likewise`
  const [who, advice] =
    other === source
      ? [`${other} reports`, 'One exporter is scraped twice, or tells the device twice: keep one scrape job for it.']
      : [`${source} and ${other} both report`, 'Keep one exporter per node, usually the GPU Operator’s.']
  const on = labels.node === '' ? '' : ` on node ${labels.node}`
  return [
    {
      code: 'duplicated-series',
      message:
        `${who} ${labels.gpu}${on} with different values of ${[...first.conflicts.keys()].join(', ')}${more}. ` +
        `These values are not used; all others are. ${advice}`,
      object: on === '' ? 'telemetry' : `node/${labels.node}`,
    },
  ]
}

const byKey = (a: Device, b: Device): number =>
  compareText(a.labels.node, b.labels.node) || compareText(a.labels.key, b.labels.key)
