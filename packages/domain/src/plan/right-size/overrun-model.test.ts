import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { instant, mib, seconds } from '../../units.ts'
import { calibrated, fitLogitMap, SAME_LOGIT } from './logit-map.ts'
import { chanceOfAny, chanceOfOverrun, type OverrunModel } from './overrun-model.ts'
import { pastFrom } from './past.ts'
import { poolTails } from './tail-pool.ts'
import type { UsageHistory } from './usage-history.ts'

/** The mean of f over a Beta belief, by the midpoint rule on its density. */
function meanOver({ a, b }: { readonly a: number; readonly b: number }, f: (q: number) => number): number {
  const steps = 20_000
  let [sum, mass] = [0, 0]
  for (let step = 0; step < steps; step += 1) {
    const q = (step + 0.5) / steps
    const density = q ** (a - 1) * (1 - q) ** (b - 1)
    mass += density
    sum += density * f(q)
  }
  return sum / mass
}

const beliefs = fc.record({
  a: fc.double({ min: 1, max: 20, noNaN: true }),
  b: fc.double({ min: 1, max: 60, noNaN: true }),
  blocks: fc.integer({ min: 1, max: 48 }),
})

describe('the chance of a belief', () => {
  test('is one minus the mean of (1 − q)^n over the Beta', () => {
    fc.assert(
      fc.property(beliefs, ({ a, b, blocks }) => {
        const exact = 1 - meanOver({ a, b }, (q) => (1 - q) ** blocks)
        expect(chanceOfAny({ over: a, total: a + b }, blocks).chance).toBeCloseTo(exact, 4)
      }),
      { numRuns: 30 },
    )
  })
})

const AT = 48
const historyOf = (over: number): UsageHistory => ({
  id: 'one',
  restarts: [],
  untrusted: undefined,
  buckets: Array.from({ length: AT }, (_, hour) => ({
    at: instant(hour * 3_600_000),
    length: seconds(3600),
    measured: seconds(3600),
    compute: 0.5,
    computePeak: 0.5,
    memoryPeak: mib(hour % 2 === 0 && hour / 2 < over ? 20_000 : 10_000),
  })),
})

/** A model whose others are flat: they never are above a multiple of their usual. */
function modelOf(hours: number): OverrunModel {
  const flat = pastFrom(Array.from({ length: AT }, (_, index) => ({ peak: 1, age: AT - 1 - index })))
  const views = poolTails([flat], [Infinity]).map((pool) => ({ pool, weight: 1 }))
  const resource = { views, map: SAME_LOGIT, blocks: AT }
  return { horizon: seconds(hours * 3600), memory: resource, compute: resource }
}

describe('the standard error of a chance', () => {
  test.each([
    [4, 1],
    [4, 24],
    [6, 12],
    [12, 168],
    [20, 6],
  ])('%i of 48 hours over, %i hours ahead: the spread of the chance over the belief', (over, ahead) => {
    const { error, chance } = chanceOfOverrun(historyOf(over), 15_000, { model: modelOf(ahead), resource: 'memory' })
    // The belief, written out: others weigh as eight blocks, and four blocks are worth an independent one.
    const belief = { a: over / 4, b: (AT - over + 8) / 4 }
    const mean = meanOver(belief, (q) => 1 - (1 - q) ** ahead)
    const spread = Math.sqrt(meanOver(belief, (q) => (1 - (1 - q) ** ahead - mean) ** 2))
    expect(chance).toBeCloseTo(mean, 2)
    expect(Math.abs(error - spread)).toBeLessThan(0.05 * spread + 0.002)
  })

  test.each([15_000, 25_000, 80_000])('of %i MiB, more than was ever seen, is not nothing', (capacity) => {
    const { chance, error } = chanceOfOverrun(historyOf(0), capacity, { model: modelOf(24), resource: 'memory' })
    expect(chance).toBeGreaterThan(0)
    expect(error).toBeGreaterThan(chance / 4)
  })

  test.each([1e6, 1e12])('no chance is 0, not even that of %d MiB', (capacity) => {
    const { chance } = chanceOfOverrun(historyOf(0), capacity, { model: modelOf(24), resource: 'memory' })
    expect(chance).toBeGreaterThan(0)
  })
})

const pairs = (counts: number) =>
  Array.from({ length: 100 }, (_, index) => ({ chance: 0.5, happened: index % 10 === 0, counts }))
const odds = (chance: number): number => chance / (1 - chance)

describe('a correction of chances', () => {
  test('of few observations stays near no change, one of many follows what happened', () => {
    expect(fitLogitMap([])).toEqual(SAME_LOGIT)
    expect(Math.abs(fitLogitMap(pairs(0.01)).shift)).toBeLessThan(0.5)
    expect(calibrated(0.5, fitLogitMap(pairs(10)))).toBeCloseTo(0.1, 1)
  })

  test('grows with the chance, and does not lift what was too rare to be checked', () => {
    fc.assert(
      fc.property(
        fc.record({
          shift: fc.double({ min: -4, max: 4, noNaN: true }),
          slope: fc.double({ min: 0.1, max: 3, noNaN: true }),
        }),
        (map) => {
          const chances = [1e-6, 1e-4, 1e-3, 0.01, 0.1, 0.5, 0.9, 0.999].map((chance) => calibrated(chance, map))
          expect(chances).toEqual(chances.toSorted((a, b) => a - b))
        },
      ),
    )
    const flatter = { shift: 0, slope: 0.5 }
    expect(odds(calibrated(0.001, flatter)) / odds(0.001)).toBeCloseTo(odds(calibrated(0.01, flatter)) / odds(0.01), 6)
  })
})
