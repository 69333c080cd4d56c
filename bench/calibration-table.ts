import { randomFrom } from './random-from.ts'
import type { Figure } from './benchmark.ts'

/** A forecast chance, what happened, and whose it is. */
export type Judged = { readonly pod: string; readonly chance: number; readonly happened: boolean }

/** With the share of pods to which the same happened in a stretch of the past as long as the horizon. */
export type Forecast = Judged & { readonly pastRate: number }

/** Forecasts of about the same chance, and how often they came true. */
export type CalibrationBin = {
  readonly from: number
  readonly to: number
  readonly count: number
  readonly pods: number
  readonly forecast: number
  readonly observed: number
  /** 95 %, by resampling pods: forecasts of one pod are not independent. */
  readonly low: number
  readonly high: number
}

const EDGES = [0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1]

/** Forecast chances beside observed frequencies, bins without forecasts left out. */
export function calibrationTable(judged: readonly Judged[], seed: number): CalibrationBin[] {
  return EDGES.slice(0, -1).flatMap((from, index) => {
    const to = EDGES[index + 1] ?? 1
    const inside = judged.filter(({ chance }) => chance >= from && (chance < to || (to === 1 && chance === 1)))
    if (inside.length === 0) return []
    const [low, high] = intervalOverPods(inside, { seed, statistic: frequency })
    const pods = new Set(inside.map(({ pod }) => pod)).size
    return {
      from,
      to,
      count: inside.length,
      pods,
      forecast: meanChance(inside),
      observed: frequency(inside),
      low,
      high,
    }
  })
}

/** The Brier score of the forecasts beside that of what happened last time. */
export function brierFigure(judged: readonly Forecast[]): Figure {
  const inPast = judged.map((item) => ({ ...item, chance: item.pastRate }))
  const overall = judged.map((item) => ({ ...item, chance: frequency(judged) }))
  return {
    name: 'calibration: Brier score',
    figure: brierScore(judged),
    unit: '',
    baseline: { name: 'base rate of the last horizon', figure: brierScore(inPast) },
    note: `${judged.length} forecasts; mean forecast ${meanChance(judged).toFixed(3)}, observed ${frequency(judged).toFixed(3)}; one base rate, known only afterward: ${brierScore(overall).toFixed(4)}`,
  }
}

/** Mean squared distance of forecasts from what happened: 0 is perfect. */
const brierScore = (judged: readonly Judged[]): number =>
  mean(judged.map(({ chance, happened }) => (chance - (happened ? 1 : 0)) ** 2))

/** Middle 95 % of a statistic over 1,000 resamples of whole pods. */
export function intervalOverPods<T extends { readonly pod: string }>(
  items: readonly T[],
  { seed, statistic }: { readonly seed: number; readonly statistic: (items: readonly T[]) => number },
): readonly [number, number] {
  const byPod = [...Map.groupBy(items, ({ pod }) => pod).values()]
  const random = randomFrom(seed)
  const values = Array.from({ length: RESAMPLES }, () =>
    statistic(byPod.flatMap(() => byPod[Math.floor(random() * byPod.length)] ?? [])),
  ).toSorted((a, b) => a - b)
  return [values[Math.floor(0.025 * RESAMPLES)] ?? Number.NaN, values[Math.ceil(0.975 * RESAMPLES) - 1] ?? Number.NaN]
}

const RESAMPLES = 1000
export const frequency = (judged: readonly Judged[]): number => mean(judged.map(({ happened }) => (happened ? 1 : 0)))
export const meanChance = (judged: readonly Judged[]): number => mean(judged.map(({ chance }) => chance))
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
