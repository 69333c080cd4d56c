import { type GpuHours, type Ratio, gpuHours, ratio, SECONDS_PER_HOUR } from '../units.ts'

/**
 * A number that may not be known. Unknown is never 0: it has a sentence that says why, and `coverage`
 * says how much of what the figure is about was measured (0 to 1), known or not.
 */
export type Figure<Unit extends number = Ratio> =
  | { readonly kind: 'known'; readonly value: Unit; readonly coverage: Ratio }
  | { readonly kind: 'unknown'; readonly because: string; readonly coverage: Ratio }

/** A figure with a value. Coverage is kept within 0 to 1. */
export function known<Unit extends number>(value: Unit, coverage = 1): Figure<Unit> {
  return { kind: 'known', value, coverage: clampRatio(coverage) }
}

/** A figure without a value, and why. */
export function unknown<Unit extends number = Ratio>(because: string, coverage = 0): Figure<Unit> {
  return { kind: 'unknown', because, coverage: clampRatio(coverage) }
}

/** A ratio of two sums; unknown, for the reason given, when there is nothing to divide by. */
export function ratioFigure(part: number, whole: number, { because, coverage = 1 }: RatioOptions): Figure {
  return whole > 0 ? known(clampRatio(part / whole), coverage) : unknown(because, coverage)
}
type RatioOptions = {
  /** Why there is no value when `whole` is 0. */
  readonly because: string
  readonly coverage?: number
}

/** The value of a figure, or undefined when it is not known. */
export function valueOf<Unit extends number>(figure: Figure<Unit>): Unit | undefined {
  return figure.kind === 'known' ? figure.value : undefined
}

/** A number held within 0 to 1, so that rounding errors of sums never show 100.0000001 %. */
export const clampRatio = (value: number): Ratio => ratio(Math.min(1, Math.max(0, value)))

/** GPU-seconds as GPU-hours. */
export const hoursOf = (gpuSeconds: number): GpuHours => gpuHours(gpuSeconds / SECONDS_PER_HOUR)
