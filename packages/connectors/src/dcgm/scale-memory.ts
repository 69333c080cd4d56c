import type { DeviceMetric } from './device-metric.ts'
import type { MetricScale } from './device-labels.ts'

/** What has been observed of a metric that some exporters give as percent and others as ratio. */
export type ScaleMemory = {
  /** Takes note of values as exported; call it for every series before asking for the divisor. */
  observe(metric: string, value: number): void
  /** What its values are divided by to be in the unit of their field: 100 where they are percentages. */
  divisor(metric: DeviceMetric): number
  /** True once a value has settled it; until then the divisor is the one that the name suggests. */
  settled(metric: string): boolean
}

/**
 * DCGM 4.6 calls field 203 a ratio while its values may still be 0–100, and some pipelines turn the older name into a
 * ratio. So the observed maximum over all series decides, for good: above 1 it is a percentage. A value strictly
 * between 0 and 1 makes it a ratio, for DCGM's percentages are whole numbers. Pass raw values only, no averages.
 */
export function openScaleMemory(): ScaleMemory {
  const seen = new Map<string, 'percent' | 'ratio'>()
  return {
    observe(metric, value) {
      if (value > 1 && value <= 100) seen.set(metric, 'percent')
      else if (value > 0 && value < 1 && !seen.has(metric)) seen.set(metric, 'ratio')
    },
    divisor: (metric) => {
      if (metric.scale !== 'percent-or-ratio') return DIVISORS[metric.scale] ?? 1
      return (seen.get(metric.name) ?? (metric.old ? 'percent' : 'ratio')) === 'percent' ? 100 : 1
    },
    settled: (metric) => seen.has(metric),
  }
}

const DIVISORS: Readonly<Partial<Record<MetricScale, number>>> = { percent: 100, bytes: 1024 ** 2 }

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
