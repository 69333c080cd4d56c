import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { seededChance } from '../plan/simulate/seeded-chance.ts'
import { type DayAhead, forecastDays, type PastDay } from './forecast.ts'

type Series = { readonly seed: number; readonly persistence: number; readonly weekend: number; readonly noise: number }

/** Days of a fleet that costs about $1,000: noise that persists, and cheaper weekends. */
function daysOf({ seed, persistence, weekend, noise }: Series, length: number): number[] {
  const chance = seededChance(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance())
  let error = normal() * noise
  return Array.from({ length }, (_, day) => {
    error = persistence * error + Math.sqrt(1 - persistence ** 2) * noise * normal()
    return 1000 * (day % 7 >= 5 ? 1 - weekend : 1) + error
  })
}

/** In which share of many series the sum of the days ahead lay between low and high. */
function coverage(series: Omit<Series, 'seed'>, { past, ahead }: { past: number; ahead: number }): number {
  const runs = 400
  let hits = 0
  for (let seed = 1; seed <= runs; seed++) {
    const days = daysOf({ ...series, seed }, past + ahead)
    const sum = days.slice(past).reduce((whole, amount) => whole + amount, 0)
    const forecast = forecastDays(
      days.slice(0, past).map((usd, day) => ({ weekday: day % 7, usd })),
      Array.from({ length: ahead }, (_, day) => ({ weekday: (past + day) % 7, share: 1 })),
    )
    if (forecast.kind === 'known' && forecast.low <= sum && sum <= forecast.high) hits++
  }
  return hits / runs
}

describe('the 80 % interval', () => {
  test.each([
    [
      { persistence: 0, weekend: 0, noise: 80 },
      { past: 42, ahead: 15 },
    ],
    [
      { persistence: 0, weekend: 0, noise: 80 },
      { past: 10, ahead: 20 },
    ],
    [
      { persistence: 0, weekend: 0.4, noise: 60 },
      { past: 35, ahead: 15 },
    ],
    [
      { persistence: 0, weekend: 0.4, noise: 60 },
      { past: 28, ahead: 7 },
    ],
    [
      { persistence: 0.5, weekend: 0, noise: 80 },
      { past: 42, ahead: 15 },
    ],
    [
      { persistence: 0.5, weekend: 0.4, noise: 60 },
      { past: 42, ahead: 10 },
    ],
  ])('holds the true sum about four times in five: %j over %j', (series, days) => {
    const share = coverage(series, days)
    expect(share).toBeGreaterThan(0.72)
    expect(share).toBeLessThan(0.95)
  })
})

describe('a forecast', () => {
  const anyDay = fc.record({
    weekday: fc.integer({ min: 0, max: 6 }),
    usd: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: undefined }),
  })

  test('is not guessed from less than a week of known days, and says so', () => {
    const six = Array.from({ length: 6 }, (_, weekday) => ({ weekday, usd: 10 }))
    const gap: PastDay = { weekday: 6, usd: undefined }
    expect(forecastDays([...six, gap, gap], [{ weekday: 0, share: 1 }])).toEqual({
      kind: 'unknown',
      because: 'Too little history: the cost of 6 whole days is known, of 7 it is needed.',
    })
    expect(forecastDays([...six, { weekday: 6, usd: 10 }], [{ weekday: 0, share: 0.5 }])).toMatchObject({
      kind: 'known',
      usd: 5,
      low: 5,
      high: 5,
    })
  })

  test('does not take an unknown day for a free one', () => {
    const days = Array.from({ length: 28 }, (_, day) => ({ weekday: day % 7, usd: day % 3 === 0 ? undefined : 700 }))
    expect(forecastDays(days, [{ weekday: 0, share: 1 }])).toMatchObject({ usd: 700 })
  })

  test('tells weekends from workdays when there were three weeks', () => {
    const days = Array.from({ length: 28 }, (_, day) => ({ weekday: day % 7, usd: day % 7 >= 5 ? 200 : 1000 }))
    const forecast = forecastDays(days, [
      { weekday: 4, share: 1 },
      { weekday: 5, share: 1 },
    ])
    expect(forecast).toMatchObject({ kind: 'known', usd: 1200, method: 'weekday' })
  })

  test('lies within its interval, and a longer time ahead has a wider one', () => {
    fc.assert(
      fc.property(fc.array(anyDay, { maxLength: 60 }), fc.integer({ min: 1, max: 30 }), (past, length) => {
        const ahead: DayAhead[] = Array.from({ length }, (_, day) => ({ weekday: day % 7, share: 1 }))
        const forecast = forecastDays(past, ahead)
        if (forecast.kind === 'unknown') return
        expect(forecast.low).toBeLessThanOrEqual(forecast.usd)
        expect(forecast.high).toBeGreaterThanOrEqual(forecast.usd)
        expect(forecast.low).toBeGreaterThanOrEqual(0)
        const longer = forecastDays(past, [...ahead, { weekday: 0, share: 1 }])
        const wider = longer.kind === 'known' ? longer.high - longer.usd : NaN
        expect(wider).toBeGreaterThanOrEqual(forecast.high - forecast.usd - 0.02)
      }),
    )
  })
})
