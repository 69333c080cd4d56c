import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { instant, mib, seconds } from '../../units.ts'
import { fitLogitMap, SAME_LOGIT } from './logit-map.ts'
import { chanceOfOverrun, rawChance, type OverrunModel } from './overrun-model.ts'
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
        const found = rawChance({ over: a, total: a + b }, blocks, { strength: 1, clustering: 1 })
        expect(found).toBeCloseTo(exact, 4)
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

/** A model of one hour ahead per block whose pool says nothing of its own: strength 1. */
function modelOf(hours: number): OverrunModel {
  const pool = poolTails([Array.from({ length: AT }, () => 1)], { halfLife: Infinity, window: 1 })
  const resource = { strength: 1, clustering: 1, halfLife: Infinity, map: SAME_LOGIT, checked: 0, pool }
  return { horizon: seconds(hours * 3600), memory: resource, compute: resource }
}

describe('the standard error of a chance', () => {
  test.each([
    [1, 1],
    [1, 24],
    [6, 12],
    [12, 168],
    [20, 6],
  ])('%i of 48 hours over, %i hours ahead: the spread of the chance over the belief', (over, ahead) => {
    const { error, chance } = chanceOfOverrun(historyOf(over), 15_000, { model: modelOf(ahead), resource: 'memory' })
    // The belief, written out: the pool's hardly matters beside 48 blocks of its own.
    const belief = { a: over, b: AT - over + 1 }
    const mean = meanOver(belief, (q) => 1 - (1 - q) ** ahead)
    const spread = Math.sqrt(meanOver(belief, (q) => (1 - (1 - q) ** ahead - mean) ** 2))
    expect(chance).toBeCloseTo(mean, 1)
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

test('a map of few observations stays near no change, one of many follows what happened', () => {
  const pairs = Array.from({ length: 100 }, (_, index) => ({ chance: 0.5, happened: index % 10 === 0 }))
  const few = fitLogitMap(pairs, 1).map
  const many = fitLogitMap(pairs, 1000).map
  expect(Math.abs(few.shift)).toBeLessThan(0.5)
  expect(1 / (1 + Math.exp(-many.shift))).toBeCloseTo(0.1, 1)
})
