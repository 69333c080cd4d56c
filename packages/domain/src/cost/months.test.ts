import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { classUsage } from '../analyze/trend.ts'
import { sumUsage } from '../analyze/usage-sum.ts'
import type { UsageTotal } from '../analyze/usage.ts'
import { DAY_MS, instant, usdPerGpuHour } from '../units.ts'
import { monthsOf } from './months.ts'

/** First instants of months; dates have no place in the domain. */
const FIRST = {
  '2025-01': 1_735_689_600_000,
  '2026-09': 1_788_220_800_000,
  '2026-10': 1_790_812_800_000,
  '2027-06': 1_811_808_000_000,
  '2028-02': 1_832_976_000_000,
  '2028-05': 1_840_752_000_000,
} as const
const held = (day: number, gpuSeconds: number, idleGpuSeconds = 0): UsageTotal => ({
  ...sumUsage([]),
  key: { at: String(day), kind: 'held', pool: 'p', model: 'm', workloadClass: 'training' },
  gpuSeconds,
  measuredGpuSeconds: gpuSeconds,
  idleGpuSeconds,
})
const PRICE = {
  kind: 'known',
  price: usdPerGpuHour(2),
  source: 'test',
  asOf: instant(0),
  origin: 'operator',
  scope: 'cluster',
} as const
const months = (totals: readonly UsageTotal[], now: number) =>
  monthsOf({ periods: [{ from: instant(0), totals }], upTo: instant(now) }, () => PRICE)

describe('the months', () => {
  test('each has its cost, its waste and how much of it was seen', () => {
    const totals = [
      ...Array.from({ length: 15 }, (_, day) => held(FIRST['2026-09'] + (15 + day) * DAY_MS, 3600, 900)),
      held(FIRST['2026-10'], 7200),
      held(FIRST['2026-10'] + DAY_MS, 3600),
    ]
    const [september, october] = months(totals, FIRST['2026-10'] + 1.5 * DAY_MS)
    expect(september).toMatchObject({ month: '2026-09', coverage: 0.5, seen: 15 * 86_400 })
    expect(september?.window).toEqual({ from: FIRST['2026-09'], to: FIRST['2026-10'] })
    expect(september?.cost.money).toMatchObject({ capacity: 30, idleHeld: 7.5, used: 22.5 })
    // The month that goes on is covered up to now, not to the end of today.
    expect(october).toMatchObject({ month: '2026-10', coverage: 1, seen: 1.5 * 86_400 })
    expect(october?.window.to).toBe(FIRST['2026-10'] + 1.5 * DAY_MS)
  })

  test('a month has the days that it has', () => {
    const february = months([held(FIRST['2028-02'] + 28 * DAY_MS, 3600)], FIRST['2028-05'])[0]
    expect(february?.window).toEqual({ from: FIRST['2028-02'], to: FIRST['2028-02'] + 29 * DAY_MS })
    expect(february?.coverage).toBeCloseTo(1 / 29, 9)
  })

  test('a price that changes within a day holds from then on', () => {
    const noon = instant(FIRST['2026-09'] + DAY_MS / 2)
    const morning = { from: instant(FIRST['2026-09']), totals: [held(FIRST['2026-09'], 3600)] }
    const afternoon = { from: noon, totals: [held(FIRST['2026-09'], 3600)] }
    const [september] = monthsOf({ periods: [morning, afternoon], upTo: instant(FIRST['2026-10']) }, ({ at = 0 }) => ({
      ...PRICE,
      price: usdPerGpuHour(at < noon ? 2 : 5),
    }))
    expect(september?.cost.money?.capacity).toBe(7)
    // It is one day nevertheless.
    expect(september?.seen).toBe(86_400)
  })

  test('a day that nobody observed is paid for, and not seen', () => {
    const unobserved = { ...held(FIRST['2026-09'], 3600), key: { at: String(FIRST['2026-09']), kind: 'unobserved' } }
    const [september] = months([unobserved, held(FIRST['2026-09'] + DAY_MS, 3600)], FIRST['2026-10'])
    expect(september).toMatchObject({ seen: 86_400, cost: { money: { capacity: 4, unobserved: 2 } } })
  })

  test('never cover more than all of a month, and never lose a dollar', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(800), fc.nat(100_000)), { minLength: 1, maxLength: 60 }), (days) => {
        const totals = days.map(([day, gpuSeconds]) => held(FIRST['2025-01'] + day * DAY_MS, gpuSeconds))
        const found = months(totals, FIRST['2027-06'] + 60 * DAY_MS)
        for (const { coverage, window } of found) {
          expect(coverage).toBeGreaterThan(0)
          expect(coverage).toBeLessThanOrEqual(1)
          expect(window.to).toBeGreaterThan(window.from)
        }
        const dollars = found.reduce((sum, { cost }) => sum + (cost.money?.capacity ?? 0), 0)
        const gpuSeconds = days.reduce((sum, [, more]) => sum + more, 0)
        expect(dollars).toBeCloseTo((gpuSeconds / 3600) * 2, 4)
      }),
    )
  })
})

test('the classes of work, what idled and what nobody held add up to the capacity', () => {
  const free = { ...held(0, 400), key: { kind: 'free' } }
  const stranded = { ...held(0, 100), key: { kind: 'stranded' } }
  const down = { ...held(0, 999), key: { kind: 'down' } }
  const usage = classUsage([held(0, 1000, 250), free, stranded, down])
  expect(usage.map(({ class: name, share }) => [name, share])).toEqual([
    ['training', 0.5],
    ['unallocated', 500 / 1500],
    ['idle', 250 / 1500],
  ])
})
