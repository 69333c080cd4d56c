import type { DeviceMetric } from './device-metric.ts'
import type { MetricScale } from './exporter-metric.ts'
import type { ScaleMemory } from './scale-memory.ts'

/**
 * The value in the unit of its field, or undefined when it is not a measurement: NaN, infinite, outside its range, or
 * one of DCGM's blanks (9223372036854775792 and above for integers, 140737488355328 and above for floating point).
 */
export function readValue(metric: DeviceMetric, raw: number, scales: ScaleMemory): number | undefined {
  const value = raw / scales.divisor(metric)
  const [low, high] = RANGES[metric.scale]
  if (!(value >= low && value <= high)) return undefined
  return SHARES.has(metric.scale) ? Math.min(1, value) : value
}

/** Whether the exporter says by the value 0 that there is none. */
export const saysNone = (metric: DeviceMetric, value: number): boolean => metric.zeroIsNone && value === 0

/** Shares may exceed 1 by a little: DCGM divides two counters that are not read at the very same moment. */
const RANGES = {
  ratio: [0, 1.02],
  'percent-or-ratio': [0, 1.02],
  percent: [0, 1.02],
  bytes: [0, 4 * 1024 * 1024],
  MiB: [0, 4 * 1024 * 1024],
  W: [0, 10_000],
  '°C': [-60, 250],
  code: [0, 100_000],
} satisfies Record<MetricScale, readonly [number, number]>
const SHARES: ReadonlySet<MetricScale> = new Set(['ratio', 'percent-or-ratio', 'percent'])
