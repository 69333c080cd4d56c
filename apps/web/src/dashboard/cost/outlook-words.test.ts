import { describe, expect, test } from 'vitest'

import { forecastWords, monthName } from './outlook-words.ts'

const KNOWN = { kind: 'known' as const, usd: 1240, low: 1240, high: 1240, days: 42, method: 'weekday' as const }
const UNKNOWN = { kind: 'unknown' as const, because: 'Fewer than 7 whole days were observed.' }

describe('a forecast', () => {
  test('that every past day matched names no interval, and says how many days that were', () =>
    expect(forecastWords({ forecast: KNOWN, unknownDays: 0 })).toBe(
      'Expected by the end of the month: $1,240. The forecast matched the cost on each of the past 42 days.',
    ))

  test.each([
    ['weekday', 'by day of the week'],
    ['mean', 'daily mean'],
  ] as const)('by %s says between which amounts and how', (method, how) =>
    expect(forecastWords({ forecast: { ...KNOWN, low: 1100, high: 1400, method }, unknownDays: 0 })).toBe(
      `Expected by the end of the month: $1,240 (80% chance of $1,100 to $1,400), based on 42 days (${how}).`,
    ),
  )

  test('that nobody can make says why, and names no amount', () =>
    expect(forecastWords({ forecast: UNKNOWN, unknownDays: 0 })).toBe(UNKNOWN.because))
})

describe('a month that was not observed as a whole', () => {
  test('says that its missing hours are in the forecast and not in what was spent', () =>
    expect(forecastWords({ forecast: KNOWN, unknownDays: 1 })).toMatch(
      / 1 day of this month was not fully observed: the missing hours are not in the amount spent, but are estimated in the forecast\.$/u,
    ))

  test('says nothing of a forecast where there is none', () =>
    expect(forecastWords({ forecast: UNKNOWN, unknownDays: 3 })).toMatch(
      / 3 days of this month were not fully observed: the missing hours are not in the amount spent\.$/u,
    ))
})

test.each([
  ['2026-11', 'November 2026'],
  ['2027-01', 'January 2027'],
])('%s is %s, wherever the reader is', (month, name) => expect(monthName(month)).toBe(name))
