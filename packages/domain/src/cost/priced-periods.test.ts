import { expect, test } from 'vitest'

import { instant, usdPerGpuHour } from '../units.ts'
import type { PriceEntry } from './price.ts'
import { pricePeriods } from './priced-periods.ts'

const from = (day: number): PriceEntry => ({
  id: `from-${day}`,
  cluster: undefined,
  pool: undefined,
  model: undefined,
  price: usdPerGpuHour(day),
  source: 'set by an operator',
  asOf: instant(0),
  origin: 'operator',
  effectiveFrom: instant(day),
})

test('a window is split where a price changes inside it, and nowhere else', () => {
  const window = { from: instant(10), to: instant(20) }
  const splits = (...days: readonly number[]) =>
    pricePeriods(days.map(from), window).map((each) => [each.from, each.to])
  expect(splits()).toEqual([[10, 20]])
  expect(splits(5, 10, 20, 25)).toEqual([[10, 20]])
  expect(splits(18, 12)).toEqual([
    [10, 12],
    [12, 18],
    [18, 20],
  ])
})
