import { describe, expect, test } from 'vitest'

import { instant, mib, seconds } from '../../units.ts'
import { fitLogitMap, SAME_LOGIT } from './logit-map.ts'
import { learnOverrun } from './learn-overrun.ts'
import { chanceOfOverrun } from './overrun-model.ts'
import type { UsageHistory } from './usage-history.ts'

/** Chance by a seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const historyOf = (id: string, peaks: readonly number[]): UsageHistory => ({
  id,
  restarts: [],
  untrusted: undefined,
  buckets: peaks.map((peak, hour) => ({
    at: instant(hour * 3_600_000),
    length: seconds(3600),
    measured: seconds(3600),
    compute: 0.4,
    computePeak: 0.5,
    memoryPeak: mib(peak),
  })),
})

const AHEAD = 6
const horizon = seconds(AHEAD * 3600)

/** Pods whose every hour is above 20,000 MiB with one known chance, else near 10,000. */
function fleet(seed: number, chance: number): { past: UsageHistory[]; later: boolean[] } {
  const random = generator(seed)
  const hour = (): number => (random() < chance ? 24_000 : 10_000) + 200 * random()
  const pods = Array.from({ length: 40 }, (_, index) => ({
    past: historyOf(`pod-${index}`, Array.from({ length: 48 }, hour)),
    later: Array.from({ length: AHEAD }, hour).some((peak) => peak > 20_000),
  }))
  return { past: pods.map(({ past }) => past), later: pods.map(({ later }) => later) }
}

describe('on fleets with a known chance of excursions', () => {
  test.each([0.005, 0.02, 0.08])('%d an hour, the mean forecast is the true chance and ranges are honest', (chance) => {
    const truth = 1 - (1 - chance) ** AHEAD
    const forecasts: number[] = []
    const happened: boolean[] = []
    for (const seed of [1, 2, 3]) {
      const { past, later } = fleet(seed, chance)
      const model = learnOverrun(past, horizon)
      forecasts.push(...past.map((history) => chanceOfOverrun(history, 20_000, { model, resource: 'memory' }).chance))
      happened.push(...later)
    }
    const mean = forecasts.reduce((sum, forecast) => sum + forecast, 0) / forecasts.length
    const observed = happened.filter(Boolean).length / happened.length
    const error = Math.sqrt((truth * (1 - truth)) / happened.length)
    expect(Math.abs(observed - truth)).toBeLessThan(4 * error)
    // Within a third of the truth, and two points of percent where the truth is small.
    expect(Math.abs(mean - truth)).toBeLessThan(truth / 3 + 0.02)
  })

  test('workloads that differ are told apart', () => {
    const often = fleet(7, 0.3).past.slice(0, 20)
    const never = fleet(8, 0).past.slice(20)
    const model = learnOverrun([...often, ...never], horizon)
    const mean = (histories: readonly UsageHistory[]): number =>
      histories.reduce(
        (sum, history) => sum + chanceOfOverrun(history, 20_000, { model, resource: 'memory' }).chance,
        0,
      ) / histories.length
    expect(mean(often)).toBeGreaterThan(0.7)
    expect(mean(never)).toBeLessThan(0.2)
  })
})

describe('learning', () => {
  test.each([
    [1, 0.2],
    [4, 0.1],
    [40, 0.01],
  ])('a day of %d flat workloads leaves a chance of about %d that the next is higher', (workloads, chance) => {
    const flat = Array.from({ length: workloads }, (_, index) =>
      historyOf(
        `flat-${index}`,
        Array.from({ length: 24 }, () => 10_000),
      ),
    )
    const model = learnOverrun(flat, seconds(86_400))
    const [first] = flat
    if (first === undefined) throw new Error('one at least')
    const forecast = chanceOfOverrun(first, 11_000, { model, resource: 'memory' }).chance
    expect(forecast).toBeGreaterThan(chance / 2)
    expect(forecast).toBeLessThan(chance * 2)
  })

  test('checks its forecasts against what they had not seen: what came without warning may come again', () => {
    const pods = Array.from({ length: 40 }, (_, index) =>
      historyOf(
        `pod-${index}`,
        Array.from({ length: 24 }, (_hour, hour) =>
          index % 2 === 0 && hour === 21 ? 20_000 : 10_000 + 50 * (hour % 5),
        ),
      ),
    )
    const model = learnOverrun(pods, horizon)
    const [calm] = pods.slice(1)
    if (calm === undefined) throw new Error('forty pods')
    expect(model.memory.checked).toBeGreaterThan(0)
    const { chance } = chanceOfOverrun(calm, 15_000, { model, resource: 'memory' })
    expect(chance).toBeGreaterThan(0.1)
  })

  test('does not depend on the order of histories', () => {
    const { past } = fleet(3, 0.05)
    expect(learnOverrun(past.toReversed(), horizon)).toEqual(learnOverrun(past, horizon))
  })

  test('from nothing says so and still gives a chance that is not 0', () => {
    const model = learnOverrun([], horizon)
    expect(model.memory).toMatchObject({ checked: 0, map: SAME_LOGIT })
    const { chance } = chanceOfOverrun(
      historyOf(
        'alone',
        Array.from({ length: 48 }, () => 10_000),
      ),
      12_000,
      {
        model,
        resource: 'memory',
      },
    )
    expect(chance).toBeGreaterThan(0)
    expect(chance).toBeLessThan(0.5)
  })

  test('leaves out pods that hardly worked, which would make others look safe', () => {
    const { past } = fleet(4, 0.05)
    const idle = fleet(5, 0).past.map((history) => ({
      ...history,
      id: `idle-${history.id}`,
      buckets: history.buckets.map((bucket) => ({ ...bucket, compute: 0, computePeak: 0 })),
    }))
    expect(learnOverrun([...past, ...idle], horizon).memory).toEqual(learnOverrun(past, horizon).memory)
  })
})

describe('a correction of chances', () => {
  test('finds that forecasts were twice too bold', () => {
    const pairs = Array.from({ length: 1000 }, (_, index) => ({ chance: 0.4, happened: index % 5 === 0 }))
    const { map } = fitLogitMap(pairs, 1000)
    const corrected = 1 / (1 + Math.exp(-(map.shift + map.slope * Math.log(0.4 / 0.6))))
    expect(corrected).toBeCloseTo(0.2, 1)
  })

  test('changes nothing without evidence', () => {
    expect(fitLogitMap([], 0).map).toEqual(SAME_LOGIT)
  })
})
