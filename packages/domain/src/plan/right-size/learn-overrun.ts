import { DEFAULT_POLICY } from '../../analyze/policy.ts'
import { compareText, type Seconds } from '../../units.ts'
import { blockMaxima, blockSeconds, type Resource } from './block-maxima.ts'
import { hasWorked } from './history-guards.ts'
import { type Checked, fitLogitMap, SAME_LOGIT } from './logit-map.ts'
import {
  beliefOf,
  type Counts,
  type OverrunModel,
  pooledChance,
  type Prior,
  rawChance,
  type ResourceModel,
  weigh,
} from './overrun-model.ts'
import { medianOf, type Peaks, poolTails } from './tail-pool.ts'
import type { UsageHistory } from './usage-history.ts'

/**
 * Learns from the histories of a fleet how likely a later peak is. Everything is chosen by forecasting inside the past:
 * histories are cut at earlier instants, what came next is compared with what was forecast, and no later data is seen.
 */
export function learnOverrun(histories: readonly UsageHistory[], horizon: Seconds): OverrunModel {
  const worked = histories
    .filter((history) => history.untrusted === undefined && hasWorked(history, IDLE))
    .toSorted((a, b) => compareText(a.id, b.id))
  const sample = thin(worked)
  return { horizon, memory: learn(sample, 'memory', horizon), compute: learn(sample, 'compute', horizon) }
}

function learn(histories: readonly UsageHistory[], resource: Resource, horizon: Seconds): ResourceModel {
  const all = histories
    .map((history) => blockMaxima(history, resource).map(({ peak }) => peak))
    .filter((peaks) => peaks.length >= LEAST_BLOCKS)
  const longest = histories.reduce((most, history) => Math.max(most, blockSeconds(history)), 1)
  const furthest = furthestOf(all, Math.max(1, Math.round(horizon / longest)))
  const cuts = cutsOf(all, furthest)
  const tried = POOL_HALF_LIVES.flatMap((poolHalfLife) => {
    const pools = cuts.map(({ past, ahead }) =>
      poolTails(
        past.map(({ before }) => before),
        { halfLife: poolHalfLife, window: ahead },
      ),
    )
    return HALF_LIVES.flatMap((halfLife) => {
      const asked = cuts.flatMap(({ past, ahead }, index) => {
        const pool = pools[index]
        return pool === undefined ? [] : past.flatMap((cut) => ask(cut, ahead, { pool, halfLife }))
      })
      return PRIORS.map((prior) => ({
        ...fitLogitMap(answer(asked, prior), asked.length / MULTIPLES.length / DISTANCES.length),
        prior,
        halfLife,
        poolHalfLife,
        checked: asked.length,
      }))
    })
  })
  const best = chosenOf(tried)
  if (best === undefined || best.checked < LEAST_CHECKED) {
    return { ...UNCHECKED, pool: poolTails(all, { halfLife: Infinity, window: furthest }) }
  }
  const { prior, halfLife, map, checked } = best
  return { ...prior, halfLife, map, checked, pool: poolTails(all, { halfLife: best.poolHalfLife, window: furthest }) }
}

type Tried = Pick<ResourceModel, 'halfLife' | 'map' | 'checked'> & {
  readonly loss: number
  readonly prior: Prior
  readonly poolHalfLife: number
}

/** The best of what was tried where it is clearly better than treating all blocks alike (Akaike's measure), else that. */
function chosenOf(tried: readonly Tried[]): Tried | undefined {
  const plain = tried.find(
    ({ prior, halfLife, poolHalfLife }) =>
      prior.strength === UNCHECKED.strength &&
      prior.clustering === UNCHECKED.clustering &&
      halfLife === Infinity &&
      poolHalfLife === Infinity,
  )
  const best = tried.toSorted((a, b) => a.loss - b.loss)[0]
  return plain !== undefined && best !== undefined && plain.loss - best.loss < CLEARLY ? plain : best
}

/** A forecast asked for inside the past, and what came of it. */
type Asked = { readonly counts: Counts; readonly ahead: number; readonly happened: boolean }

function ask(
  { before, after }: Cut,
  ahead: number,
  { pool, halfLife }: Pick<ResourceModel, 'pool' | 'halfLife'>,
): Asked[] {
  const median = medianOf(before) ?? 0
  if (median <= 0) return []
  const own = { median, blocks: before.length }
  return MULTIPLES.map((multiple) => {
    const capacity = multiple * median
    return {
      counts: { ...weigh(before, capacity, halfLife), pooled: pooledChance(pool, own, capacity), window: pool.window },
      ahead,
      happened: after.some((peak) => peak > capacity),
    }
  })
}

const answer = (asked: readonly Asked[], prior: Prior): Checked[] =>
  asked.map(({ counts, ahead, happened }) => ({ chance: rawChance(beliefOf(counts, prior), ahead, prior), happened }))

type Cut = { readonly before: Peaks; readonly after: Peaks }
type Cuts = { readonly ahead: number; readonly past: readonly Cut[] }

/** Blocks that forecasts inside the past can look ahead: the horizon, or a third of the longest history. */
const furthestOf = (all: readonly Peaks[], blocks: number): number =>
  Math.max(1, Math.min(blocks, Math.floor(all.reduce((most, peaks) => Math.max(most, peaks.length), 0) / 3)))

/** Every history cut at earlier instants, for forecasts near and far, which show how the chance grows with the distance. */
function cutsOf(all: readonly Peaks[], furthest: number): Cuts[] {
  const longest = all.reduce((most, peaks) => Math.max(most, peaks.length), 0)
  const distances = [...new Set(DISTANCES.map((part) => Math.max(1, Math.round(furthest * part))))]
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

/** Every k-th history, so that learning takes about the same time for any fleet. */
function thin(histories: readonly UsageHistory[]): readonly UsageHistory[] {
  const step = Math.ceil(histories.length / MOST_HISTORIES)
  return step <= 1 ? histories : histories.filter((_, index) => index % step === 0)
}

/** Parts of the furthest distance. */
const DISTANCES = [1, 0.5, 0.25]
const POOL_HALF_LIVES = [1.5, 6, Infinity]
const HALF_LIVES = [3, Infinity]
const PRIORS: readonly Prior[] = [8, 32, 128].flatMap((strength) =>
  [0.5, 0.75, 1].map((clustering) => ({ strength, clustering })),
)
/** Capacities asked about while learning, as multiples of the median block: where sizes are decided. */
const MULTIPLES = [1.1, 1.25, 1.5, 1.75, 2]
/** More workloads than this add time and little knowledge. */
const MOST_HISTORIES = 100
const MOST_CUTS = 4
const LEAST_BLOCKS = 3
/** Of log-likelihood, for the four things that are chosen. */
const CLEARLY = 4
/** With fewer forecasts to check, nothing is chosen by them. */
const LEAST_CHECKED = 50
const UNCHECKED = { strength: 8, clustering: 1, halfLife: Infinity, map: SAME_LOGIT, checked: 0 } as const
/** Busy at or under this is idle, as in the analysis. */
const IDLE = DEFAULT_POLICY.idle.threshold
