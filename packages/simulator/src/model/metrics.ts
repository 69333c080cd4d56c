import type { Needs, DeviceReading, ModelRow } from './readings.ts'

/** One field that dcgm-exporter exports. */
export type Metric = {
  readonly name: string
  readonly help: string
  readonly type: 'gauge' | 'counter'
  /** Digits after the point, as the exporter prints it. */
  readonly digits: 0 | 6
  readonly needs: Needs
  /** Undefined where the field is not exported for this row. */
  readonly value: (reading: DeviceReading, row: ModelRow) => number | undefined
}

const watts = ({ boardBusy, tensor }: DeviceReading, { node: { hardware } }: ModelRow): number =>
  hardware.idleWatts + (hardware.maxWatts - hardware.idleWatts) * Math.min(1, 0.82 * boardBusy + 0.15 * tensor)

// A compute engine that is busy has a kernel running a little longer still.
const KERNEL_TIME = 1.015
const RESERVED = 0.0078
const PCIE = 'over the PCIe bus (in bytes per second)'
const reserved = (reading: DeviceReading): number => Math.round(reading.totalMib * RESERVED)

const NEEDS: Readonly<Record<string, Needs>> = {
  DCGM_FI_DEV_SM_CLOCK: 'board',
  DCGM_FI_DEV_MEMORY_TEMP: 'board',
  DCGM_FI_DEV_GPU_TEMP: 'board',
  DCGM_FI_DEV_POWER_USAGE: 'board',
  DCGM_FI_DEV_GPU_UTIL: 'row',
  DCGM_FI_DEV_MEM_COPY_UTIL: 'row',
  DCGM_FI_DEV_FB_FREE: 'memory',
  DCGM_FI_DEV_FB_USED: 'memory',
}

const gauge = (name: string, help: string, value: Metric['value']): Metric => ({
  name,
  help,
  type: 'gauge',
  digits: 0,
  needs: NEEDS[name] ?? (name.startsWith('DCGM_FI_PROF_') ? 'row' : 'nothing'),
  value,
})
const fine = (metric: Metric): Metric => ({ ...metric, digits: 6 })

type OfReading = (reading: DeviceReading) => number

// These stay at zero on a node whose profiling counters are stuck: dcgm-exporter issue 662.
const profiled = (name: string, help: string, value: OfReading): Metric =>
  gauge(`DCGM_FI_PROF_${name}`, help, (of, { node }) => (node.defect === 'stuck-counter' ? 0 : value(of)))

// GPU_UTIL and MEM_COPY_UTIL are not available for MIG.
const unlessMig = (name: string, help: string, value: OfReading): Metric =>
  gauge(name, help, (of, { gpu, instance }) => ((gpu.layout ?? instance) === undefined ? value(of) : undefined))

const counter = (name: string, help: string, value: Metric['value']): Metric => ({
  ...gauge(name, help, value),
  type: 'counter',
})

/** The default fields of dcgm-exporter, and SM_ACTIVE, which many clusters add. */
export const METRICS: readonly Metric[] = [
  gauge('DCGM_FI_DEV_SM_CLOCK', 'SM clock frequency (in MHz).', ({ boardBusy }, { node: { hardware } }) =>
    boardBusy > 0.005 ? hardware.smClock : Math.round(hardware.smClock * 0.2),
  ),
  gauge('DCGM_FI_DEV_MEM_CLOCK', 'Memory clock frequency (in MHz).', (_, { node }) => node.hardware.memoryClock),
  gauge('DCGM_FI_DEV_MEMORY_TEMP', 'Memory temperature (in C).', ({ boardBusy }, { node }) =>
    node.hardware.memoryTemperature ? 36 + 44 * boardBusy : 0,
  ),
  gauge('DCGM_FI_DEV_GPU_TEMP', 'GPU temperature (in C).', ({ boardBusy }) => 29 + 40 * boardBusy),
  fine(gauge('DCGM_FI_DEV_POWER_USAGE', 'Power draw (in W).', watts)),
  counter('DCGM_FI_DEV_PCIE_REPLAY_COUNTER', 'Total number of PCIe retries.', () => 0),
  unlessMig('DCGM_FI_DEV_GPU_UTIL', 'GPU utilization (in %).', ({ busy }) => 100 * Math.min(1, busy * KERNEL_TIME)),
  unlessMig('DCGM_FI_DEV_MEM_COPY_UTIL', 'Memory utilization (in %).', ({ memoryBus }) => 100 * memoryBus),
  gauge('DCGM_FI_DEV_ENC_UTIL', 'Encoder utilization (in %).', () => 0),
  gauge('DCGM_FI_DEV_DEC_UTIL', 'Decoder utilization (in %).', () => 0),
  gauge('DCGM_FI_DEV_XID_ERRORS', 'Value of the last XID error encountered.', (_, { gpu }) => gpu.xid ?? 0),
  gauge('DCGM_FI_DEV_FB_FREE', 'Framebuffer memory free (in MiB).', (reading) =>
    Math.max(0, reading.totalMib - reserved(reading) - Math.round(reading.memoryMib)),
  ),
  gauge('DCGM_FI_DEV_FB_USED', 'Framebuffer memory used (in MiB).', ({ memoryMib }) => memoryMib),
  gauge('DCGM_FI_DEV_FB_RESERVED', 'Framebuffer memory reserved (in MiB).', reserved),
  counter('DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS', 'Number of remapped rows for uncorrectable errors', (_, { gpu }) =>
    gpu.xid === undefined ? 0 : 2,
  ),
  counter('DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS', 'Number of remapped rows for correctable errors', () => 0),
  gauge('DCGM_FI_DEV_ROW_REMAP_FAILURE', 'Whether remapping of rows has failed', () => 0),
  gauge('DCGM_FI_DEV_VGPU_LICENSE_STATUS', 'vGPU License status', () => 0),
  fine(profiled('GR_ENGINE_ACTIVE', 'Ratio of time the graphics engine is active.', ({ busy }) => busy)),
  fine(profiled('SM_ACTIVE', 'The ratio of cycles an SM has at least 1 warp assigned.', ({ effective }) => effective)),
  fine(profiled('PIPE_TENSOR_ACTIVE', 'Ratio of cycles the tensor (HMMA) pipe is active.', ({ tensor }) => tensor)),
  fine(
    profiled(
      'DRAM_ACTIVE',
      'Ratio of cycles the device memory interface is active sending or receiving data.',
      ({ memoryBus }) => memoryBus,
    ),
  ),
  profiled('PCIE_TX_BYTES', `The rate of data transmitted ${PCIE}.`, ({ busy }) => 4e6 + 6e9 * busy * 0.1),
  profiled('PCIE_RX_BYTES', `The rate of data received ${PCIE}.`, ({ busy }) => 5e6 + 9e9 * busy * 0.1),
]

const XID_MESSAGES: Readonly<Record<number, string>> = { 0: 'No Error', 94: 'Contained ECC error' }

export type SeriesLabels = readonly (readonly [name: string, value: string])[]

/** The labels of a row's devices, in the order of dcgm-exporter's template; `errorLabels` follow where a metric has them. */
export function metricLabels({ node, gpu, instance }: ModelRow): SeriesLabels {
  return [
    ['gpu', String(gpu.index)],
    ['UUID', gpu.uuid],
    ['pci_bus_id', gpu.busId],
    ['device', `nvidia${gpu.index}`],
    ['modelName', node.hardware.modelName],
    ...(instance === undefined
      ? []
      : ([
          ['GPU_I_PROFILE', instance.profile],
          ['GPU_I_ID', instance.instance],
        ] as const)),
    ['Hostname', node.name],
    ['DCGM_FI_DRIVER_VERSION', node.driver],
  ]
}

export const tellsErrors = ({ name }: Metric): boolean => name === 'DCGM_FI_DEV_XID_ERRORS'

export const errorLabels = ({ gpu: { xid = 0 } }: ModelRow): SeriesLabels => [
  ['err_code', String(xid)],
  ['err_msg', XID_MESSAGES[xid] ?? 'Unknown Error'],
]

/** The labels that name who holds the row. */
export const holderLabels = (holder: { namespace: string; pod: string; container: string } | undefined): SeriesLabels =>
  holder === undefined
    ? []
    : [
        ['container', holder.container],
        ['namespace', holder.namespace],
        ['pod', holder.pod],
      ]

/** The value as the exporter prints it. */
export const printed = (metric: Metric, value: number): string =>
  metric.digits === 0 ? String(Math.round(value)) : value.toFixed(metric.digits)
