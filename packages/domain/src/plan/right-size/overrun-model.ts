import { compareText, type Seconds } from '../../units.ts'
import { DEFAULT_POLICY } from '../../analyze/policy.ts'
import { hasWorked } from './history-guards.ts'
import { blockMaxima, blockSeconds, type Resource } from './block-maxima.ts'
import { calibrated, type Checked, fitLogitMap, type LogitMap, SAME_LOGIT } from './logit-map.ts'
import { ageWeight, chanceAbove, medianOf, type Peaks, poolTails, type TailPool } from './tail-pool.ts'
import type { UsageHistory } from './usage-history.ts'

/** What a fleet's own past says about how histories go on: learned once, asked for every workload. */
export type OverrunModel = {
  readonly horizon: Seconds
  readonly memory: ResourceModel
  readonly compute: ResourceModel
}

export type ResourceModel = {
  readonly pool: TailPool
  /** How many blocks of its own history weigh as much as the pool of all. */
  readonly strength: number
  /** In how many blocks the workload's own past loses half of its weight. */
  readonly halfLife: number
  /** Excursions cluster: n blocks count as n to this power, 1 where they are independent. */
  readonly clustering: number
  readonly map: LogitMap
  /** Forecasts made inside the past and checked there, from which strength, half-life and map were chosen; 0: none. */
  readonly checked: number
}

/** The chance that a capacity is exceeded at least once within the horizon, and its standard error. */
export type Chance = { readonly chance: number; readonly error: number }

/**
 * Learns from the histories of a fleet how likely a later peak is. Everything is chosen by forecasting inside the past:
 * histories are cut at earlier instants, what came next is compared with what was forecast, and no later data is seen.
 */
export function learnOverrun(histories: readonly UsageHistory[], horizon: Seconds): OverrunModel {
  const sorted = thin(histories.toSorted((a, b) => compareText(a.id, b.id)))
  return { horizon, memory: learn(sorted, 'memory', horizon), compute: learn(sorted, 'compute', horizon) }
}

/** The chance that the block maxima of the horizon exceed a capacity (MiB, or GPUs of compute) at least once. */
export function chanceOfOverrun(
  history: UsageHistory,
  capacity: number,
  { model, resource }: { readonly model: OverrunModel; readonly resource: Resource },
): Chance {
  const peaks = blockMaxima(history, resource).map(({ peak }) => peak)
  const blocks = Math.max(1, Math.round(model.horizon / blockSeconds(history)))
  const known = model[resource]
  const raw = rawChance({ peaks, capacity, blocks }, known)
  const chance = calibrated(raw.chance, known.map)
  return { chance, error: raw.error }
}

type Question = { readonly peaks: Peaks; readonly capacity: number; readonly blocks: number }
type Knowledge = Pick<ResourceModel, 'pool' | 'strength' | 'halfLife' | 'clustering'>

/**
 * Beta-binomial: the chance q that one block exceeds the capacity has a Beta prior from the pool, updated by the
 * workload's own blocks; the chance of no exceedance in n blocks is the mean of (1 − q)^n.
 */
function rawChance({ peaks, capacity, blocks }: Question, knowledge: Knowledge): Chance {
  const { pool, strength, halfLife, clustering } = knowledge
  const median = medianOf(peaks) ?? 0
  const prior = chanceAbove(pool, median > 0 ? capacity / median : 1, peaks.length)
  let over = prior * strength
  let under = (1 - prior) * strength
  for (const [index, peak] of peaks.entries()) {
    const weight = ageWeight(peaks.length - 1 - index, halfLife)
    if (peak > capacity) over += weight
    else under += weight
  }
  const total = over + under
  const independent = blocks ** clustering
  const mean = over / total
  const deviation = Math.sqrt((mean * (1 - mean)) / (total + 1))
  return {
    chance: 1 - Math.exp(logGammaRatio(under, independent) - logGammaRatio(total, independent)),
    error: Math.min(0.5, independent * (1 - mean) ** Math.max(0, independent - 1) * deviation),
  }
}

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

const STRENGTHS = [8, 32, 128]
const POOL_HALF_LIVES = [1.5, 6, Infinity]
const HALF_LIVES = [3, Infinity]
const CLUSTERINGS = [0.5, 0.75, 1]
/** Capacities asked about while learning, as multiples of the median block: where sizes are decided. */
const MULTIPLES = [1.1, 1.25, 1.5, 1.75, 2]
/** More workloads than this add time and no knowledge. */
const MOST_HISTORIES = 600
const LEAST_BLOCKS = 3
/** Busy at or under this is idle, as in the analysis. */
const IDLE = DEFAULT_POLICY.idle.threshold

function learn(histories: readonly UsageHistory[], resource: Resource, horizon: Seconds): ResourceModel {
  const all = histories
    .filter((history) => history.untrusted === undefined && hasWorked(history, IDLE))
    .map((history) => blockMaxima(history, resource).map(({ peak }) => peak))
    .filter((peaks) => peaks.length >= LEAST_BLOCKS)
  const longest = histories.reduce((most, history) => Math.max(most, blockSeconds(history)), 1)
  const blocks = Math.max(1, Math.round(horizon / longest))
  const cuts = cutsOf(all, blocks)
  const fitted = POOL_HALF_LIVES.flatMap((poolHalfLife) => {
    const pooled = cuts.map((cut) => ({
      ...cut,
      pool: poolTails(
        cut.past.map(({ before }) => before),
        poolHalfLife,
      ),
    }))
    return TRIALS.map((trial) => {
      const pairs = pooled.flatMap(({ pool, past, ahead }) =>
        past.flatMap((cut) => forecasts(cut, ahead, { pool, ...trial })),
      )
      return { ...trial, poolHalfLife, fit: fitLogitMap(pairs), checked: pairs.length }
    })
  })
  const best = fitted.toSorted((a, b) => a.fit.loss - b.fit.loss)[0]
  if (best === undefined || best.checked < 50) {
    return {
      pool: poolTails(all, Infinity),
      strength: 8,
      halfLife: Infinity,
      clustering: 1,
      map: SAME_LOGIT,
      checked: 0,
    }
  }
  const { poolHalfLife, fit, ...chosen } = best
  return { ...chosen, pool: poolTails(all, poolHalfLife), map: fit.map }
}

const TRIALS = STRENGTHS.flatMap((strength) =>
  HALF_LIVES.flatMap((halfLife) => CLUSTERINGS.map((clustering) => ({ strength, halfLife, clustering }))),
)

type Cut = { readonly before: Peaks; readonly after: Peaks }
type Cuts = { readonly ahead: number; readonly past: readonly Cut[] }

/** Every history cut at earlier instants; forecasts look as far ahead as a third of the past allows, and half and a quarter as far. */
function cutsOf(all: readonly Peaks[], blocks: number): Cuts[] {
  const longest = all.reduce((most, peaks) => Math.max(most, peaks.length), 0)
  const furthest = Math.max(1, Math.min(blocks, Math.floor(longest / 3)))
  const distances = [...new Set([1, 0.5, 0.25].map((part) => Math.max(1, Math.round(furthest * part))))]
  return distances.flatMap((ahead) => {
    const cuts: Cuts[] = []
    for (let back = ahead; back <= longest - LEAST_BLOCKS && cuts.length < MOST_CUTS; back += ahead) {
      const past = all
        .filter((peaks) => peaks.length - back >= LEAST_BLOCKS)
        .map((peaks) => ({
          before: peaks.slice(0, peaks.length - back),
          after: peaks.slice(peaks.length - back, peaks.length - back + ahead),
        }))
      cuts.push({ ahead, past })
    }
    return cuts
  })
}
const MOST_CUTS = 4

function forecasts({ before, after }: Cut, blocks: number, knowledge: Knowledge): Checked[] {
  const median = medianOf(before) ?? 0
  if (median <= 0) return []
  return MULTIPLES.map((multiple) => {
    const capacity = multiple * median
    const { chance } = rawChance({ peaks: before, capacity, blocks }, knowledge)
    return { chance, happened: after.some((peak) => peak > capacity) }
  })
}

/** Every k-th history, so that learning takes the same time for any fleet. */
function thin(histories: readonly UsageHistory[]): readonly UsageHistory[] {
  const step = Math.ceil(histories.length / MOST_HISTORIES)
  return step <= 1 ? histories : histories.filter((_, index) => index % step === 0)
}
