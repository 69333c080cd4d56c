import { expect, test } from 'vitest'

import { SAMPLE_REPORT } from '../sample-report.fixture.ts'
import { spendOf } from './spend.ts'

type Summary = Parameters<typeof spendOf>[0]['summary']
type Hours = NonNullable<Summary['cost']['hours']>

const HOURS: Hours = {
  capacity: 100,
  used: 60,
  unmeasured: 10,
  idleHeld: 20,
  unallocated: 12,
  stranded: 3,
  oversized: 4,
  broken: 1,
  unrequested: 0,
  unobserved: 0,
}

/** A cluster of which so many hours went to each part, at so many dollars an hour; without a price at none. */
function spent(hours: Partial<Hours>, usdPerHour: number | 'none' = 100): { summary: Summary } {
  const of = { ...HOURS, ...hours }
  const { cost } = SAMPLE_REPORT.summary
  const figure = (part: number | null) => ({
    ...cost.capacity,
    unit: 'USD' as const,
    value: part === null || usdPerHour === 'none' ? null : part * usdPerHour,
  })
  const keys = ['capacity', 'used', 'unmeasured', 'idleHeld', 'unallocated', 'stranded', 'oversized', 'broken'] as const
  const figures = Object.fromEntries(keys.map((key) => [key, figure(of[key])]))
  return { summary: { ...SAMPLE_REPORT.summary, cost: { ...cost, ...figures, hours: of, unpricedGpuHours: 0 } } }
}

test('divides the whole into parts that add up, and tells what is not measured from 0', () => {
  const known = spendOf(spent({}))?.parts ?? []
  expect(known.reduce((sum, { drawn }) => sum + drawn, 0)).toBeCloseTo(1)
  expect(known.map(({ key, amount }) => [key, amount])).toContainEqual(['idleHeld', 2000])
  const blind = spendOf(spent({ used: 84, unmeasured: 84, idleHeld: 0, oversized: 0 }))?.parts ?? []
  expect(blind.map(({ key, amount }) => [key, amount])).toContainEqual(['idleHeld', undefined])
  expect(blind.map(({ key, amount }) => [key, amount])).toContainEqual(['oversized', undefined])
})
