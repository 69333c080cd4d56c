import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { HOUR_MS, instant } from '../units.ts'
import { classUsage, observedSeconds, observedWindow, trendByModel, trendOf } from './trend.ts'
import { sumUsage } from './usage-sum.ts'
import type { UsageTotal } from './usage.ts'

/** GPU-hours of one kind in the bucket that begins then. */
const total = (
  at: number,
  kind: string,
  ...[hours, change = {}]: readonly [number, Partial<UsageTotal>?]
): UsageTotal => ({
  ...sumUsage([]),
  gpuSeconds: hours * 3600,
  measuredGpuSeconds: kind === 'held' ? hours * 3600 : 0,
  busyGpuSeconds: kind === 'held' ? hours * 1800 : 0,
  ...change,
  key: { at: String(at), kind, model: 'T4', ...change.key },
})

describe('the trend of a cluster', () => {
  test('is a share of what was ready: broken GPUs are outside of it', () => {
    expect(trendOf([total(0, 'held', 1), total(0, 'free', 2), total(0, 'stranded', 1), total(0, 'down', 4)])).toEqual([
      {
        at: 0,
        capacity: 4,
        down: 4,
        allocation: 0.25,
        busy: 0.125,
        busyOfAllocated: 0.5,
        effective: undefined,
        coverage: 1,
      },
    ])
  })

  test('has gaps where nothing is known, which are not 0', () => {
    const [unmeasured, unheld, down] = trendOf([
      total(HOUR_MS, 'free', 1),
      total(0, 'held', 1, { measuredGpuSeconds: 0, busyGpuSeconds: 0 }),
      total(2 * HOUR_MS, 'down', 1),
    ])
    expect(unmeasured).toMatchObject({ at: 0, busyOfAllocated: undefined, coverage: 0, allocation: 1 })
    expect(unheld).toMatchObject({ at: HOUR_MS, busyOfAllocated: undefined, coverage: undefined, allocation: 0 })
    expect(down).toMatchObject({ at: 2 * HOUR_MS, capacity: 0, allocation: undefined, busy: undefined })
  })

  test('of each model has a point for each of the fleet’s, and none of models that were never ready', () => {
    const totals = [
      total(0, 'free', 1, ofModel('T4')),
      total(0, 'free', 3, ofModel('A30')),
      total(HOUR_MS, 'free', 3, ofModel('A30')),
      total(0, 'down', 9, ofModel('L4')),
      total(0, 'free', 9, ofModel('')),
    ]
    const models = trendByModel(totals, trendOf(totals))
    expect(models.map(({ model, capacity, points }) => [model, capacity, points.map((point) => point?.at)])).toEqual([
      ['A30', 6, [0, HOUR_MS]],
      ['T4', 1, [0, undefined]],
    ])
  })
})

const ofModel = (model: string) => ({ key: { model } })
const ofClass = (workloadClass: string) => ({ key: { workloadClass } })

const frame = (from: number, to: number, gpus = 2) => ({
  span: '1h' as const,
  window: { from: instant(from), to: instant(to) },
  gpus,
})

describe('how long usage was seen', () => {
  const trend = trendOf([total(0, 'held', 0.5), total(3 * HOUR_MS, 'held', 2), total(4 * HOUR_MS, 'held', 1)])

  test('is each bucket, but of the first only what its GPU-hours tell, and of the last only what is over', () => {
    // A quarter of an hour of two GPUs, an hour, and half an hour until now; two hours were not seen.
    expect(observedSeconds(trend, frame(0, 4.5 * HOUR_MS))).toBe(900 + 3600 + 1800)
    expect(observedWindow(trend, frame(-HOUR_MS, 4.5 * HOUR_MS))).toEqual({ from: 0, to: 4.5 * HOUR_MS })
    expect(observedWindow(trend, frame(0.5 * HOUR_MS, 9 * HOUR_MS))).toEqual({ from: 0.5 * HOUR_MS, to: 5 * HOUR_MS })
  })

  test('is nothing where there is nothing', () => {
    expect([observedSeconds([], frame(0, HOUR_MS)), observedWindow([], frame(0, HOUR_MS))]).toEqual([0, undefined])
  })

  test('is never more than the window, also of a cluster without GPUs now', () => {
    const buckets = fc.uniqueArray(fc.nat(30), { maxLength: 20 })
    fc.assert(
      fc.property(buckets, fc.tuple(fc.nat(30), fc.nat(30)), fc.nat(4), (hours, [from, length], gpus) => {
        const seen = trendOf(hours.map((hour) => total(hour * HOUR_MS, 'held', 4)))
        const seconds = observedSeconds(seen, frame(from * HOUR_MS, (from + length) * HOUR_MS, gpus))
        expect(seconds).toBeGreaterThanOrEqual(0)
        expect(seconds).toBeLessThanOrEqual(length * 3600)
      }),
    )
  })
})

describe('what the capacity did', () => {
  test('is told by class of work, its idle time apart, those that nobody knows together', () => {
    const totals = [
      total(0, 'held', 4, { ...ofClass('training'), idleGpuSeconds: 3600 }),
      total(0, 'held', 2, ofClass('odd')),
      total(0, 'free', 3),
      total(0, 'down', 90),
    ]
    expect(classUsage(totals).map(({ class: name, hours }) => [name, hours])).toEqual([
      ['training', 3],
      ['unallocated', 3],
      ['unknown', 2],
      ['idle', 1],
    ])
  })

  test('adds up to all of it, however much is said to have been idle', () => {
    const drawn = fc.array(
      fc.tuple(fc.constantFrom('held', 'free', 'stranded'), fc.nat(100), fc.nat(200), fc.constantFrom('training', '')),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(drawn, (all) => {
        const totals = all.map(([kind, hours, idle, name]) =>
          total(0, kind, hours, { ...ofClass(name), idleGpuSeconds: kind === 'held' ? idle * 3600 : 0 }),
        )
        const usage = classUsage(totals)
        const capacity = all.reduce((sum, [, hours]) => sum + hours, 0)
        expect(usage.reduce((sum, { hours }) => sum + hours, 0)).toBeCloseTo(capacity, 6)
        expect(usage.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(capacity > 0 ? 1 : 0, 9)
      }),
    )
  })

  test('is nothing, and no NaN, of no time', () => {
    expect(classUsage([])).toEqual([])
    expect(classUsage([total(0, 'free', 0)])).toEqual([{ class: 'unallocated', hours: 0, share: 0 }])
  })
})
