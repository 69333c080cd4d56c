import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { HOUR_MS, instant, mib, seconds } from '../../units.ts'
import { blockEnd, blockMaxima, blockSeconds, levelAt, peakOf } from './block-maxima.ts'
import type { UsageBucket, UsageHistory } from './usage-history.ts'

const bucket = (minute: number, more: Partial<UsageBucket> = {}): UsageBucket => ({
  at: instant(minute * 60_000),
  length: seconds(600),
  measured: seconds(600),
  compute: 0.5,
  computePeak: 0.5,
  memoryPeak: mib(1000),
  ...more,
})
const history = (...buckets: readonly UsageBucket[]): UsageHistory => ({
  id: 'w',
  buckets,
  restarts: [],
  untrusted: undefined,
})
const memory = (minute: number, peak: number, measured = 600) =>
  bucket(minute, { memoryPeak: mib(peak), measured: seconds(measured) })
const told = (of: UsageHistory) => blockMaxima(of, 'memory').map(({ at, peak }) => [at / 60_000, peak])

const day = (index: number, peak: number) =>
  bucket(index * 1440, { length: seconds(86_400), measured: seconds(43_200), memoryPeak: mib(peak) })

describe('the highest use of each hour', () => {
  test('is cut backward from the end of the history, oldest first', () => {
    const half = [0, 10, 20, 30, 40, 50].map((minute) => memory(minute + 70, 100 + minute))
    const before = [10, 20, 30].map((minute) => memory(minute, 900))
    expect(told(history(...before, ...half))).toEqual([
      [10, 900],
      [70, 150],
    ])
  })
  test('is not known of an hour that was measured for less than half, unless it is above all that are known', () => {
    const whole = [0, 10, 20, 30, 40, 50].map((minute) => memory(minute + 60, 500))
    expect(told(history(memory(0, 400), ...whole))).toEqual([[60, 500]])
    expect(told(history(memory(0, 501), ...whole))).toEqual([
      [0, 501],
      [60, 500],
    ])
    expect(told(history(memory(0, 400)))).toEqual([])
  })
  test('is that of each day where the history is by day', () => {
    expect(blockSeconds(history(day(0, 1)))).toBe(86_400)
    expect(told(history(day(0, 10), day(1, 20)))).toEqual([
      [0, 10],
      [1440, 20],
    ])
  })
  test('of nothing is nothing', () => {
    expect(told(history())).toEqual([])
    expect([blockEnd(history()), peakOf(history(), 'memory')]).toEqual([0, undefined])
  })
  test('is what a look at every bucket of each hour gives', () => {
    const buckets = fc.uniqueArray(
      fc.record({
        slot: fc.nat(40),
        peak: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
        measured: fc.constantFrom(0, 300, 600),
      }),
      { selector: ({ slot }) => slot, maxLength: 30 },
    )
    fc.assert(
      fc.property(buckets, (drawn) => {
        const all = drawn
          .toSorted((a, b) => a.slot - b.slot)
          .map(({ slot, peak, measured }) =>
            bucket(slot * 10, {
              measured: seconds(measured),
              memoryPeak: peak === undefined ? undefined : mib(peak),
            }),
          )
        const of = history(...all)
        const end = blockEnd(of)
        const hours = Array.from({ length: 8 }, (_, back) => {
          const from = end - (back + 1) * HOUR_MS
          const own = all.filter(
            ({ at, measured, memoryPeak }) =>
              at >= from && at < from + HOUR_MS && measured > 0 && memoryPeak !== undefined,
          )
          return {
            at: from,
            peak: Math.max(...own.map(({ memoryPeak = 0 }) => memoryPeak)),
            isWhole: own.reduce((sum, { measured }) => sum + measured, 0) >= 1800,
          }
        })
        const known = hours.filter(({ isWhole }) => isWhole).map(({ peak }) => peak)
        const highest = known.length === 0 ? Infinity : Math.max(...known)
        const wanted = hours.filter(({ isWhole, peak }) => isWhole || peak > highest)
        expect(blockMaxima(of, 'memory')).toEqual(wanted.toReversed().map(({ at, peak }) => ({ at, peak })))
      }),
    )
  })
})

test('what was not measured is no level and no peak, though a value stands there', () => {
  const none = bucket(0, { measured: seconds(0), memoryPeak: mib(9), compute: 1 })
  expect([levelAt(none, 'memory'), levelAt(none, 'compute')]).toEqual([undefined, undefined])
  expect(levelAt(bucket(0), 'compute')).toBe(0.5)
  expect(peakOf(history(none, memory(10, 5), memory(20, 7), memory(30, 6)), 'memory')).toBe(7)
})
