import { expect, test } from 'vitest'

import { forecastWords } from './outlook-words.ts'

test('a forecast that every past day matched names no interval, and says how many days that were', () => {
  const forecast = { kind: 'known' as const, usd: 1240, low: 1240, high: 1240, days: 42, method: 'weekday' as const }
  expect(forecastWords({ forecast, unknownDays: 0 })).toBe(
    'Expected by the end of the month: $1,240. The forecast matched the cost on each of the past 42 days.',
  )
})
