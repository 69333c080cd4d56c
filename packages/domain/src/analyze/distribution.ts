/** How many numbers lie where: mean, quantiles, shares. Undefined for no numbers, never 0. */

/** Arithmetic mean. */
export function meanOf(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/**
 * The value at a share of the sorted numbers, 0 to 1, with linear interpolation between neighbors (the usual
 * definition 7 of Hyndman and Fan, as NumPy and Prometheus use it).
 */
export function quantileOf(values: readonly number[], share: number): number | undefined {
  return quantileOfSorted(
    values.toSorted((a, b) => a - b),
    share,
  )
}

/** The same for numbers that are already sorted, lowest first. */
export function quantileOfSorted(sorted: readonly number[], share: number): number | undefined {
  const position = share * (sorted.length - 1)
  const below = Math.floor(position)
  const low = sorted[below]
  if (low === undefined) return undefined
  const high = sorted[below + 1] ?? low
  return low + (high - low) * (position - below)
}

/** Share of the numbers that pass, 0 to 1. */
export function shareOf(values: readonly number[], passes: (value: number) => boolean): number | undefined {
  return values.length === 0 ? undefined : values.filter(passes).length / values.length
}
