import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { instant, mib, seconds } from '../../units.ts'
import { seededChance } from '../simulate/seeded-chance.ts'
import { SAME_LOGIT } from './logit-map.ts'
import { learnOverrun } from './learn-overrun.ts'
import { chanceOfOverrun } from './overrun-model.ts'
import type { UsageHistory } from './usage-history.ts'

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
  const random = seededChance(seed)
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
    const { chance } = chanceOfOverrun(calm, 15_000, { model, resource: 'memory' })
    expect(chance).toBeGreaterThan(0.1)
  })

  test('does not depend on the order of histories', () => {
    const { past } = fleet(3, 0.05)
    expect(learnOverrun(past.toReversed(), horizon)).toEqual(learnOverrun(past, horizon))
  })

  test('from nothing says so and still gives a chance that is not 0', () => {
    const model = learnOverrun([], horizon)
    expect(model.memory).toMatchObject({ blocks: 0, map: SAME_LOGIT })
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

/** Pods that go above 15,000 MiB in half of their hours while the fleet is lively, else never. */
const fleetOf = (isLively: (hour: number) => boolean, hours: number) => {
  const random = seededChance(11)
  return Array.from({ length: 40 }, (_, index) =>
    historyOf(
      `pod-${index}`,
      Array.from(
        { length: hours },
        (_hour, hour) => (isLively(hour) && random() < 0.5 ? 20_000 : 10_000) + 200 * random(),
      ),
    ),
  )
}
const meanChance = (histories: readonly UsageHistory[], ahead: number): number => {
  const model = learnOverrun(histories, seconds(ahead * 3600))
  const chances = histories.map((history) => chanceOfOverrun(history, 15_000, { model, resource: 'memory' }).chance)
  return chances.reduce((sum, chance) => sum + chance, 0) / chances.length
}

describe('a fleet whose hours differ', () => {
  test('that has been quiet for some hours is forecast to stay so, and a lively one to stay lively', () => {
    expect(
      meanChance(
        fleetOf((hour) => hour < 14, 24),
        2,
      ),
    ).toBeLessThan(0.1)
    expect(
      meanChance(
        fleetOf((hour) => hour >= 14, 24),
        2,
      ),
    ).toBeGreaterThan(0.6)
  })

  test('with nights keeps its days in mind through the night', () => {
    // Six days, of which the last ends at three in the morning.
    const nightly = fleetOf((hour) => hour % 24 >= 8 && hour % 24 < 20, 6 * 24 + 3)
    expect(meanChance(nightly, 24)).toBeGreaterThan(0.9)
  })
})

/** Jobs that follow one another in a workload, each with memory of its own, which it keeps to within 1.5 %. */
function jobs(id: string, random: () => number): UsageHistory {
  const peaks: number[] = []
  while (peaks.length < 168) {
    const level = 4000 + 40_000 * random()
    const length = 4 + Math.floor(36 * random())
    for (let hour = 0; hour < length; hour += 1) peaks.push(level * (0.985 + 0.03 * random()))
  }
  return historyOf(id, peaks.slice(-168))
}

describe('a service that never moved in a week', () => {
  test.each([1, 2, 3])('has no part in the jumps of jobs beside it (seed %i)', (seed) => {
    const random = seededChance(seed)
    const steady = Array.from({ length: 15 }, (_, index) =>
      historyOf(
        `service-${index}`,
        Array.from({ length: 168 }, () => 1800 * (0.985 + 0.03 * random())),
      ),
    )
    const model = learnOverrun(
      [...steady, ...Array.from({ length: 20 }, (_, index) => jobs(`job-${index}`, random))],
      seconds(86_400),
    )
    for (const history of steady) {
      const chances = [2200, 4000, 6000].map(
        (capacity) => chanceOfOverrun(history, capacity, { model, resource: 'memory' }).chance,
      )
      // Inference accepts 1 % a day.
      expect(Math.max(...chances)).toBeLessThan(0.01)
      expect(chances).toEqual(chances.toSorted((a, b) => b - a))
    }
  })
})

test('a chance is a number from 0 to 1 whatever the past was, also of work that did nothing at first', () => {
  const peaks = fc.array(fc.constantFrom(0, 0, 1, 900, 24_000), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(
      fc.array(peaks, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 0, max: 40_000 }),
      (all, capacity) => {
        const histories = all.map((each, order) => historyOf(`pod-${order}`, each))
        const model = learnOverrun(histories, horizon)
        for (const history of histories) {
          const { chance, error } = chanceOfOverrun(history, capacity, { model, resource: 'memory' })
          expect(chance >= 0 && chance <= 1 && error >= 0).toBe(true)
        }
      },
    ),
    { numRuns: 300 },
  )
})
