import type { ExporterMetric } from './device-labels.ts'

type Row = Pick<ExporterMetric, 'field' | 'scale'> & {
  /** The first that is exported counts. */
  readonly names: readonly string[]
  readonly zeroIsNone?: true
  readonly about?: readonly string[]
}

/**
 * AMD's device-metrics-exporter; `gpu_usage` is what it called the activity in 2024. `gpu_used_vram` is said to be in MB, and
 * is in MiB: amd-smi and the DRA driver say 196592 MB and 196592Mi of the same MI300X. Exporters before 1.4 say 0 of what a
 * board does not have.
 */
const AMD: readonly Row[] = [
  { field: 'busy', names: ['gpu_gfx_activity', 'gpu_usage'], scale: 'percent' },
  { field: 'memoryBus', names: ['gpu_umc_activity'], scale: 'percent' },
  { field: 'memoryUsed', names: ['gpu_used_vram'], scale: 'MiB' },
  { field: 'memoryFree', names: ['gpu_free_vram'], scale: 'MiB' },
  {
    field: 'power',
    names: ['gpu_package_power', 'gpu_average_package_power', 'gpu_power_usage'],
    scale: 'W',
    zeroIsNone: true,
  },
  { field: 'temperature', names: ['gpu_junction_temperature', 'gpu_edge_temperature'], scale: '°C', zeroIsNone: true },
  { field: 'memoryTemperature', names: ['gpu_memory_temperature'], scale: '°C', zeroIsNone: true },
]

/** The prefix of the configuration that AMD ships as an example. */
const AMD_PREFIXES = ['', 'amd_']

/**
 * Intel XPU Manager: `xpum_` up to version 1, OpenTelemetry's names from version 2 on (xpumanager
 * `xpumd/charts/xpumd/json/convert-metrics.sh`). Its help says percent, and the exporter divides by 100.
 */
const INTEL: readonly Row[] = [
  { field: 'busy', names: ['xpum_engine_group_ratio', 'hw_gpu_utilization_ratio'], scale: 'ratio', about: ['compute'] },
  { field: 'busy', names: ['xpum_engine_ratio'], scale: 'ratio' },
  { field: 'memoryBus', names: ['xpum_memory_bandwidth_ratio'], scale: 'ratio' },
  { field: 'memoryBus', names: ['hw_memory_bandwidth_utilization_ratio'], scale: 'ratio', about: ['device', ''] },
  { field: 'memoryUsed', names: ['xpum_memory_used_bytes'], scale: 'bytes' },
  { field: 'memoryUsed', names: ['hw_memory_usage_bytes'], scale: 'bytes', about: ['device', ''] },
  { field: 'memoryFree', names: ['hw_memory_free_bytes'], scale: 'bytes', about: ['device', ''] },
  { field: 'power', names: ['xpum_power_watts'], scale: 'W' },
  { field: 'power', names: ['hw_power_watts'], scale: 'W', about: ['gpu', 'card', ''] },
  {
    field: 'temperature',
    names: ['xpum_temperature_celsius', 'hw_temperature_celsius'],
    scale: '°C',
    about: ['gpu', ''],
  },
  {
    field: 'memoryTemperature',
    names: ['xpum_temperature_celsius', 'hw_temperature_celsius'],
    scale: '°C',
    about: ['mem', 'memory'],
    zeroIsNone: true,
  },
]

const metricsOf = (exporter: ExporterMetric['exporter'], rows: readonly Row[]): readonly ExporterMetric[] =>
  rows.flatMap(({ names, field, scale, zeroIsNone = false, about }) =>
    names.map((name) => ({ name, exporter, field, scale, zeroIsNone, old: false, about })),
  )

/** What exporters other than NVIDIA's call the fields, those first that count where several are exported. */
export const OTHER_METRICS: readonly ExporterMetric[] = [
  ...AMD_PREFIXES.flatMap((prefix) =>
    metricsOf(
      'amd',
      AMD.map((row) => ({ ...row, names: row.names.map((name) => `${prefix}${name}`) })),
    ),
  ),
  ...metricsOf('intel', INTEL),
]
