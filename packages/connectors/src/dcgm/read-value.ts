import type { DcgmMetric, Scale } from './dcgm-metric.ts'
import type { ScaleMemory } from './scale-memory.ts'

/**
 * The value in the unit of its field, or undefined when it is no measurement: NaN, infinite, outside its range, or one
 * of DCGM's blanks (9223372036854775792 and above for integers, 140737488355328 and above for floating point).
 */
export function readValue(metric: DcgmMetric, raw: number, scales: ScaleMemory): number | undefined {
  const value = metric.scale === 'percent-or-ratio' ? raw / scales.divisor(metric) : raw
  const [low, high] = RANGES[metric.scale]
  if (!(value >= low && value <= high)) return undefined
  return IS_SHARE[metric.scale] ? Math.min(1, value) : value
}

/** Shares may exceed 1 by a little: DCGM divides two counters that are not read at the very same moment. */
const RANGES = {
  ratio: [0, 1.02],
  'percent-or-ratio': [0, 1.02],
  mebibytes: [0, 4 * 1024 * 1024],
  watts: [0, 10_000],
  celsius: [-60, 250],
  code: [0, 100_000],
} satisfies Record<Scale, readonly [number, number]>

const IS_SHARE = {
  ratio: true,
  'percent-or-ratio': true,
  mebibytes: false,
  watts: false,
  celsius: false,
  code: false,
} satisfies Record<Scale, boolean>
