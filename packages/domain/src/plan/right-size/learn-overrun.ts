import { DEFAULT_POLICY } from '../../analyze/policy.ts'
import { compareText, seconds, type Seconds } from '../../units.ts'
import { blockSeconds, blockEnd, type Resource } from './block-maxima.ts'
import { hasWorked } from './history-guards.ts'
import { fitLogitMap } from './logit-map.ts'
import { forecast, mixed, type OverrunModel, type ResourceModel } from './overrun-model.ts'
import { pastFrom, pastOf, type Past } from './past.ts'
import { poolTails } from './tail-pool.ts'
import { historyOfRows, type UsageHistory } from './usage-history.ts'
import type { UsageRow } from '../../analyze/usage.ts'

/**
 * Learns from the histories of a fleet how likely a later peak is. Fleets go through livelier and quieter hours, and how
 * much of the past tells most about what comes differs: there is a view for those who forget fast and for those who forget
 * slowly, and each counts by how well it foretold inside the past (a mixture of experts by exponential weights, Vovk 1990).
 * There histories are cut at earlier instants, and what came next is compared with what was forecast; no later data is
 * seen. By the same trials the mixture is calibrated.
 */
export function learnOverrun(histories: readonly UsageHistory[], horizon: Seconds): OverrunModel {
  const worked = histories
    .filter((history) => history.untrusted === undefined && hasWorked(history, IDLE))
    .toSorted((a, b) => compareText(a.id, b.id))
  const sample = thin(worked)
  return { horizon, memory: learn(sample, 'memory', horizon), compute: learn(sample, 'compute', horizon) }
}

function learn(histories: readonly UsageHistory[], resource: Resource, horizon: Seconds): ResourceModel {
  const end = histories.reduce((latest, history) => Math.max(latest, blockEnd(history)), 0)
  const all = histories
    .map((history) => pastOf(history, resource, end))
    .filter(({ blocks }) => blocks.length >= LEAST_BLOCKS)
  const longest = histories.reduce((most, history) => Math.max(most, blockSeconds(history)), 1)
  const trials = trialsOf(all, Math.max(1, Math.round(horizon / longest)))
  const weights = weightsOf(trials)
  return {
    views: poolTails(all, HALF_LIVES).map((pool, index) => ({ pool, weight: weights[index] ?? 0 })),
    map: fitLogitMap(trials.map((trial) => ({ ...trial, chance: mixed(trial.chances, weights) }))),
    blocks: all.reduce((sum, { blocks }) => sum + blocks.length, 0),
  }
}

/** The chances that the views gave to something inside the past, whether it happened, and how much that counts. */
type Trial = { readonly chances: readonly number[]; readonly happened: boolean; readonly counts: number }

/** Weights that fall exponentially with the log loss of a view's forecasts, and add up to 1. */
function weightsOf(trials: readonly Trial[]): number[] {
  const losses = HALF_LIVES.map((_, index) =>
    trials.reduce((sum, { chances, happened, counts }) => {
      const chance = chances[index] ?? 0
      return sum - counts * Math.log(Math.max(LEAST_CHANCE, happened ? chance : 1 - chance))
    }, 0),
  )
  const least = Math.min(...losses)
  const merits = losses.map((loss) => Math.exp(least - loss))
  const sum = merits.reduce((total, merit) => total + merit, 0)
  return merits.map((merit) => merit / sum)
}

/** Histories cut at earlier instants, for forecasts near and far, up to the horizon or a third of the longest history. */
function trialsOf(all: readonly Past[], horizon: number): Trial[] {
  const longest = all.reduce((most, { blocks }) => Math.max(most, (blocks[0]?.age ?? -1) + 1), 0)
  const furthest = Math.max(1, Math.min(horizon, Math.floor(longest / 3)))
  const distances = [...new Set(DISTANCES.map((part) => Math.max(1, Math.round(furthest * part))))]
  return distances.flatMap((ahead) =>
    Array.from({ length: MOST_CUTS }, (_, index) => (index + 1) * ahead)
      .filter((back) => back <= longest - LEAST_BLOCKS)
      .flatMap((back) => trialsAt(all, back, ahead)),
  )
}

/** Forecasts made so many blocks ago. Workloads of a fleet go up and down together, so many of them count as a few. */
function trialsAt(all: readonly Past[], back: number, ahead: number): Trial[] {
  const known = all.flatMap(({ blocks }) => {
    const before = blocks.filter(({ age }) => age >= back).map(({ peak, age }) => ({ peak, age: age - back }))
    const after = pastFrom(blocks.filter(({ age }) => age < back && age >= back - ahead))
    return before.length < LEAST_BLOCKS || after.blocks.length === 0 ? [] : [{ before: pastFrom(before), after }]
  })
  const pools = poolTails(
    known.map(({ before }) => before),
    HALF_LIVES,
  )
  const counts = Math.min(1, MOST_COUNTED / known.length) / MULTIPLES.length
  return known.flatMap(({ before, after }) =>
    // Of what did nothing until then no multiple can be told.
    (before.median > 0 ? MULTIPLES : [])
      .map((multiple) => multiple * before.median)
      .map((capacity) => ({
        chances: pools.map((pool) => forecast(before, capacity, { pool, ahead }).chance),
        happened: after.highest > capacity,
        counts,
      })),
  )
}

/** Every k-th history, so that learning takes about the same time for any fleet. */
function thin(histories: readonly UsageHistory[]): readonly UsageHistory[] {
  const step = Math.ceil(histories.length / MOST_HISTORIES)
  return step <= 1 ? histories : histories.filter((_, index) => index % step === 0)
}

/** In how many blocks the past loses half of its weight. */
const HALF_LIVES = [1, 4, 16, Infinity]
/** Parts of the furthest distance. */
const DISTANCES = [1, 0.5, 0.25]
/** Capacities asked about while learning, as multiples of the median block: where sizes are decided. */
const MULTIPLES = [1.1, 1.25, 1.5, 1.75, 2]
/** More workloads than this add time and little knowledge. */
const MOST_HISTORIES = 100
const MOST_CUTS = 4
const LEAST_BLOCKS = 3
/** What many workloads at one instant are worth: their shares differ from hour to hour by so much more than chance explains. */
const MOST_COUNTED = 12
/** No single surprise may silence a view. */
const LEAST_CHANCE = 0.001
/** Busy at or under this is idle, as in the analysis. */
const IDLE = DEFAULT_POLICY.idle.threshold

/** Overruns are forecast for a day ahead. */
const HORIZON = seconds(86_400)

/** What the past of a fleet's workloads teaches about later peaks; worth keeping, as it changes by the day. */
export const learnFleetOverrun = (rows: readonly UsageRow[]): OverrunModel => learnOverrun(historiesOf(rows), HORIZON)

const historiesOf = (rows: readonly UsageRow[]): readonly UsageHistory[] =>
  [
    ...Map.groupBy(
      rows.filter(({ kind }) => kind === 'held'),
      ({ workload }) => workload,
    ),
  ]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([id, own]) => historyOfRows(id, own))
