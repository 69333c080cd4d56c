import type { Seconds } from '../../units.ts'
import { blockSeconds, type Resource } from './block-maxima.ts'
import { calibrated, type LogitMap } from './logit-map.ts'
import { ageWeight, type Past, pastOf } from './past.ts'
import { shareAbove, type TailPool } from './tail-pool.ts'
import type { UsageHistory } from './usage-history.ts'

/** What a fleet's own past says about how histories go on: learned once, asked for every workload. */
export type OverrunModel = {
  readonly horizon: Seconds
  readonly memory: ResourceModel
  readonly compute: ResourceModel
}

export type ResourceModel = {
  /** The fleet as one sees it who forgets fast, or slowly. A forecast is their mean by weight; weights add up to 1. */
  readonly views: readonly View[]
  /** What forecasts inside the past had to be corrected by. */
  readonly map: LogitMap
  /** Blocks of all workloads that were learned from. */
  readonly blocks: number
}

type View = { readonly pool: TailPool; readonly weight: number }

/** The chance that a capacity is exceeded at least once within the horizon, and its standard error. */
export type Chance = { readonly chance: number; readonly error: number }

/** The chance that a workload exceeds a capacity (MiB, or GPUs of sustained compute) at least once within the horizon. */
export function chanceOfOverrun(
  history: UsageHistory,
  capacity: number,
  { model, resource }: { readonly model: OverrunModel; readonly resource: Resource },
): Chance {
  const past = pastOf(history, resource)
  const { views, map, blocks: learned } = model[resource]
  const ahead = Math.max(1, Math.round(model.horizon / blockSeconds(history)))
  const weights = views.map(({ weight }) => weight)
  const each = views.map(({ pool }) => forecast(past, capacity, { pool, ahead }))
  const known = calibrated(
    mixed(
      each.map(({ chance }) => chance),
      weights,
    ),
    map,
  )
  const windows = Math.max(learned, past.blocks.length) / ahead
  const chance = Math.max(known, unseenChance(windows, past.highest, capacity))
  const variance = mixed(
    each.map((one) => one.spread ** 2 + (one.chance - known) ** 2),
    weights,
  )
  // What the bound adds is not a surer than itself.
  return { chance, error: Math.max(Math.sqrt(variance), chance - known) }
}

/** The mean by weight. */
export const mixed = (values: readonly number[], weights: readonly number[]): number =>
  values.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0)

/**
 * What was not seen in n stretches as long as the horizon has about the chance 0.5 / (n + 1) in the next (the mean of
 * Jeffreys' belief), and less for what is far above all that was seen. No short history makes a chance smaller than that.
 */
function unseenChance(windows: number, peak: number, capacity: number): number {
  const far = capacity > peak ? (peak / capacity) ** 2 : 1
  return (0.5 / (windows + 1)) * far
}

/**
 * What one view says about a capacity and so many blocks ahead: the chance that one of them is above, and its spread.
 * Neighboring blocks are alike, so each is worth a part of an independent one.
 */
export function forecast(
  past: Past,
  capacity: number,
  { pool, ahead }: { readonly pool: TailPool; readonly ahead: number },
): { readonly chance: number; readonly spread: number } {
  const { share, known } = chanceOfBlock(past, capacity, pool)
  const total = known * INDEPENDENT
  return chanceOfAny({ over: share * total, total }, ahead)
}

/**
 * The chance that one block is above a capacity, and how many blocks it is known from. The workload's own blocks count
 * beside those of others at the same multiple of their median. Where it never was above, others are asked also how often
 * blocks go so far above all that their workload had shown; what is rarer counts.
 */
function chanceOfBlock(
  past: Past,
  capacity: number,
  { usual, record, halfLife }: TailPool,
): { readonly share: number; readonly known: number } {
  const { over, all } = weigh(past, capacity, halfLife)
  const pooled = shareAbove(usual, past.median > 0 ? capacity / past.median : 1)
  const known = all + OTHERS
  const share = (over + OTHERS * pooled) / known
  if (past.highest > capacity) return { share, known }
  return {
    share: Math.min(share, shareAbove(record, capacity > 0 ? capacity / past.highest : 1) / (past.blocks.length + 1)),
    known,
  }
}

/** The weight of the blocks over a capacity, and of all. */
function weigh({ blocks }: Past, capacity: number, halfLife: number): { readonly over: number; readonly all: number } {
  const sums = { over: 0, all: 0 }
  for (const { peak, age } of blocks) {
    const weight = ageWeight(age, halfLife)
    sums.all += weight
    if (peak > capacity) sums.over += weight
  }
  return sums
}

/** A Beta belief about the chance that one block exceeds the capacity. */
export type Belief = { readonly over: number; readonly total: number }

/** One minus the mean of (1 − q)^n over the belief about q (beta-binomial), and its standard deviation by the first two moments. */
export function chanceOfAny(
  { over, total }: Belief,
  blocks: number,
): { readonly chance: number; readonly spread: number } {
  const under = Math.max(1e-9, total - over)
  const mean = Math.exp(logGammaRatio(under, blocks) - logGammaRatio(total, blocks))
  const square = Math.exp(logGammaRatio(under, 2 * blocks) - logGammaRatio(total, 2 * blocks))
  return { chance: 1 - mean, spread: Math.sqrt(Math.max(0, square - mean * mean)) }
}

/** How many blocks of its own weigh as much as the pool of others. */
const OTHERS = 8
/** What a block is worth of an independent one. */
const INDEPENDENT = 0.25

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
