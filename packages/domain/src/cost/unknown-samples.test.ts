import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { addReading, openBucket, rowsOf } from '../analyze/accumulate.ts'
import { markIdle } from '../analyze/idle.ts'
import { DEFAULT_POLICY } from '../analyze/policy.ts'
import type { JudgedSample } from '../analyze/sample.ts'
import { DRAWN_AT, draw } from '../cluster/draw.fixture.ts'
import { instant, mib, ratio, seconds, usdPerGpuHour } from '../units.ts'
import { analysisTotals } from './analysis-totals.fixture.ts'
import { analyzeCluster } from './analyze-cluster.ts'

// Samples that are missing here and there, as an exporter or a network loses them.

const snapshot = draw`
  a  A100-SXM4-80GB  [lab/a-1]
  b  A100-SXM4-80GB  [lab/b-1]
  c  A100-SXM4-80GB  [web/c-1]
  d  A100-SXM4-80GB  [web/d-1]
  e  A100-SXM4-80GB  [-]`
const HELD = ['a', 'b', 'c', 'd']
const READINGS = 240
const EVERY = 30_000
const end = instant(DRAWN_AT + READINGS * EVERY)

const sample = (node: string, busy: number): JudgedSample => ({
  at: DRAWN_AT,
  node,
  gpu: `GPU-${node}-0`,
  index: 0,
  model: 'NVIDIA A100-SXM4-80GB',
  busy: ratio(busy),
  memoryUsed: mib(4000),
  quality: { kind: 'measured' },
})

/** A reading stands for the time since the one before in its bucket, and the last of a bucket for its rest as well. */
function secondsOf(reading: number): number {
  const order = reading % 10
  return order === 0 ? 0 : order === 9 ? 60 : 30
}

/** Two hours in which each GPU is as busy as `busy` says, and the readings of `lost` (`node reading`) never came. */
function analyze(busy: readonly number[], lost: ReadonlySet<string>) {
  const perBucket = 300_000 / EVERY
  const rows = Array.from({ length: READINGS / perBucket }, (_, order) => {
    const bucket = openBucket(instant(DRAWN_AT + order * 300_000))
    for (let reading = order * perBucket; reading < (order + 1) * perBucket; reading++) {
      const samples = HELD.flatMap((node, index) =>
        lost.has(`${node} ${reading}`) ? [] : [sample(node, busy[index] ?? 0)],
      )
      addReading(bucket, {
        at: instant(DRAWN_AT + reading * EVERY),
        interval: seconds(EVERY / 1000),
        snapshot,
        samples,
      })
    }
    return rowsOf(bucket)
  }).flat()
  const marked = markIdle(rows, DEFAULT_POLICY.idle)
  return analyzeCluster({
    snapshot,
    totals: analysisTotals(marked),
    prices: [
      {
        id: 'p',
        cluster: undefined,
        pool: undefined,
        model: undefined,
        price: usdPerGpuHour(2.37),
        source: 'test',
        asOf: DRAWN_AT,
        origin: 'operator',
      },
    ],
    window: { from: DRAWN_AT, to: end },
    samples: [],
  })
}

const anyReading = fc.tuple(fc.constantFrom(...HELD), fc.integer({ min: 0, max: READINGS - 1 }))
const allReadings = HELD.length * READINGS
/** One in a hundred, none of them twice. */
const onePercent = fc
  .uniqueArray(anyReading, {
    minLength: Math.round(allReadings / 100),
    maxLength: Math.round(allReadings / 100),
    selector: ([node, reading]) => `${node} ${reading}`,
  })
  .map((lost) => new Set(lost.map(([node, reading]) => `${node} ${reading}`)))
const anyBusy = fc.array(fc.double({ min: 0.2, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 })
const cents = (amount: number): number => Math.round(amount * 100)

test('with 1 % of samples lost, what is known stays what it is: nothing lost is a 0, and nothing is idle for it', () => {
  fc.assert(
    fc.property(anyBusy, onePercent, (busy, lost) => {
      const whole = analyze(busy, new Set())
      const holey = analyze(busy, lost)
      const { hours } = holey.cost.fleet
      expect(hours.capacity).toBeCloseTo(whole.cost.fleet.hours.capacity, 9)
      expect(hours.idleHeld).toBe(0)
      const missing = HELD.map((node) =>
        [...lost].reduce((sum, one) => sum + (one.startsWith(`${node} `) ? secondsOf(Number(one.slice(2))) : 0), 0),
      )
      const allMissing = missing.reduce((sum, length) => sum + length, 0)
      expect(hours.unmeasured).toBeCloseTo(allMissing / 3600, 9)
      // The mean of what was measured: a lost sample that counted as 0 would pull it down.
      const weights = missing.map((length) => 7200 - length)
      const seen = weights.reduce((sum, length) => sum + length, 0)
      const expected = weights.reduce((sum, length, index) => sum + length * (busy[index] ?? 0), 0) / seen
      expect(holey.utilization.busyOfAllocated).toMatchObject({
        kind: 'known',
        value: expect.closeTo(expected, 9),
        coverage: expect.closeTo(1 - allMissing / (4 * 7200), 9),
      })
    }),
    { numRuns: 40 },
  )
})

test('with 1 % of samples lost, hours and money still add up, in the whole and in every cut', () => {
  fc.assert(
    fc.property(anyBusy, onePercent, (busy, lost) => {
      const { fleet, byNamespace } = analyze(busy, lost).cost
      for (const { hours, money } of [fleet, ...byNamespace.map(({ cost }) => cost)]) {
        const { used, idleHeld, unallocated, stranded, oversized, broken, capacity, unmeasured } = hours
        expect(used + idleHeld + unallocated + stranded + oversized + broken).toBeCloseTo(capacity, 9)
        expect(unmeasured).toBeLessThanOrEqual(used + 1e-9)
        if (money === undefined) throw new Error('Every GPU has a price.')
        const parts = [money.used, money.idleHeld, money.unallocated, money.stranded, money.oversized, money.broken]
        expect(parts.reduce((sum, part) => sum + cents(part), 0)).toBe(cents(money.capacity))
      }
      const groups = byNamespace.reduce((sum, { cost }) => sum + cents(cost.money?.capacity ?? 0), 0)
      expect(groups).toBe(cents(fleet.money?.capacity ?? 0))
    }),
    { numRuns: 40 },
  )
})
