import type { Seconds } from '../../units.ts'
import { blockMaxima, blockSeconds, type Resource } from './block-maxima.ts'
import { calibrated, type LogitMap, steepness } from './logit-map.ts'
import { ageWeight, chanceAbove, medianOf, type Peaks, type TailPool } from './tail-pool.ts'
import type { UsageHistory } from './usage-history.ts'

/** What a fleet's own past says about how histories go on: learned once, asked for every workload. */
export type OverrunModel = {
  readonly horizon: Seconds
  readonly memory: ResourceModel
  readonly compute: ResourceModel
}

export type ResourceModel = Prior & {
  readonly pool: TailPool
  /** In how many blocks the workload's own past loses half of its weight. */
  readonly halfLife: number
  readonly map: LogitMap
  /** Forecasts made inside the past and checked there, from which all of this was chosen; 0: none. */
  readonly checked: number
}

/** How much a pool of others counts, and how excursions come together. */
export type Prior = {
  /** How many blocks of its own history weigh as much as the pool of all. */
  readonly strength: number
  /** Excursions cluster: n blocks count as n to this power, 1 where they are independent. */
  readonly clustering: number
}

/** The chance that a capacity is exceeded at least once within the horizon, and its standard error. */
export type Chance = { readonly chance: number; readonly error: number }

/** The chance that a workload exceeds a capacity (MiB, or GPUs of sustained compute) at least once within the horizon. */
export function chanceOfOverrun(
  history: UsageHistory,
  capacity: number,
  { model, resource }: { readonly model: OverrunModel; readonly resource: Resource },
): Chance {
  const peaks = blockMaxima(history, resource).map(({ peak }) => peak)
  const { pool, halfLife, map, ...prior } = model[resource]
  const own = { median: medianOf(peaks) ?? 0, blocks: peaks.length }
  const counts = { ...weigh(peaks, capacity, halfLife), pooled: pooledChance(pool, own, capacity), window: pool.window }
  const blocks = Math.max(1, Math.round(model.horizon / blockSeconds(history)))
  const belief = beliefOf(counts, prior)
  const raw = rawChance(belief, blocks, prior)
  const known = calibrated(raw, map)
  const windows = Math.max(pool.multiples.length * pool.window, peaks.length) / blocks
  const chance = Math.max(known, unseenChance(windows, highestOf(peaks), capacity))
  // What the bound adds is no surer than itself.
  return { chance, error: Math.max(spreadOf(belief, blocks, prior) * steepness(raw, map), chance - known) }
}

/**
 * What was not seen in n stretches as long as the horizon has about the chance 0.5 / (n + 1) in the next (the mean of
 * Jeffreys' belief), and less for what is far above all that was seen. No short history makes a chance smaller than that.
 */
function unseenChance(windows: number, peak: number, capacity: number): number {
  const far = capacity > peak ? (peak / capacity) ** 2 : 1
  return (0.5 / (windows + 1)) * far
}

/** What a workload's own blocks say about a capacity, by weight, and what the pool says about a window of blocks. */
export type Counts = {
  readonly over: number
  readonly under: number
  readonly pooled: number
  readonly window: number
}

/** The weight of the blocks over a capacity, and of the others. */
export function weigh(peaks: Peaks, capacity: number, halfLife: number): { over: number; under: number } {
  const fading = ageWeight(1, halfLife)
  const sums = { over: 0, under: 0 }
  let weight = 1
  for (let index = peaks.length - 1; index >= 0; index -= 1) {
    if ((peaks[index] ?? 0) > capacity) sums.over += weight
    else sums.under += weight
    weight *= fading
  }
  return sums
}

/** The pool's chance that one window of a workload, known by the median of so many blocks, exceeds a capacity. */
export const pooledChance = (
  pool: TailPool,
  { median, blocks }: { readonly median: number; readonly blocks: number },
  capacity: number,
): number => chanceAbove(pool, median > 0 ? capacity / median : 1, blocks)

/** A Beta belief about the chance that one block exceeds the capacity. */
export type Belief = { readonly over: number; readonly total: number }

/** A Beta prior from the pool, updated by the workload's own blocks. */
export function beliefOf({ over, under, pooled, window }: Counts, { strength, clustering }: Prior): Belief {
  // The chance of one block that makes the window's.
  const each = 1 - (1 - Math.min(1 - 1e-9, pooled)) ** (1 / window ** clustering)
  return { over: over + each * strength, total: over + under + strength }
}

/** Beta-binomial: one minus the mean of (1 − q)^n over the belief about q. */
export function rawChance({ over, total }: Belief, blocks: number, { clustering }: Prior): number {
  const independent = blocks ** clustering
  return 1 - Math.exp(logGammaRatio(total - over, independent) - logGammaRatio(total, independent))
}

/** The standard deviation of 1 − (1 − q)^n over the belief about q, from the first two moments of (1 − q)^n. */
function spreadOf({ over, total }: Belief, blocks: number, { clustering }: Prior): number {
  const independent = blocks ** clustering
  const under = total - over
  const mean = Math.exp(logGammaRatio(under, independent) - logGammaRatio(total, independent))
  const square = Math.exp(logGammaRatio(under, 2 * independent) - logGammaRatio(total, 2 * independent))
  return Math.sqrt(Math.max(0, square - mean * mean))
}

const highestOf = (peaks: Peaks): number => peaks.reduce((most, peak) => Math.max(most, peak), 0)

/** ln Γ(x + n) − ln Γ(x), so that (1 − q)^n has a mean for a Beta q and any n ≥ 0. */
const logGammaRatio = (x: number, n: number): number => logGamma(x + n) - logGamma(x)

/** Stirling's series after shifting the argument up, where it is exact to 1e-10. */
function logGamma(x: number): number {
  let shifted = x
  let product = 1
  while (shifted < 8) {
    product *= shifted
    shifted += 1
  }
  const square = shifted * shifted
  const series = 1 / (12 * shifted) - 1 / (360 * shifted * square) + 1 / (1260 * shifted * square * square)
  return (shifted - 0.5) * Math.log(shifted) - shifted + 0.5 * Math.log(2 * Math.PI) + series - Math.log(product)
}
