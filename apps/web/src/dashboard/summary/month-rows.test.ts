import { describe, expect, test } from 'vitest'

import { partOfMonth } from '@septet/contract/partial'
import { type Month, monthLabel, monthsTable } from './month-rows.ts'

const figure = (value: number | null): Month['baseline'] => ({
  value,
  unit: 'USD',
  quality: 'estimated',
  because: null,
  coverage: null,
  explain: { formula: '', window: null, source: '' },
})
const month = (about: Partial<Month>): Month => ({
  month: '2026-11',
  from: '2026-11-01T00:00:00.000Z',
  to: '2026-12-01T00:00:00.000Z',
  coverage: 1,
  sealed: null,
  baseline: figure(100),
  optimized: figure(80),
  savings: { estimated: figure(20), verified: figure(null), freed: figure(null) },
  ...about,
})

/** The last cell of a month in which so much was freed. */
const freedCell = (unit: 'USD' | 'GPU-h') =>
  monthsTable([month({ savings: { ...month({}).savings, freed: { ...figure(7), unit } } })]).rows[0]?.at(-1)

describe('a month', () => {
  test('says its year first, and in January', () => {
    expect(monthLabel(month({}), true)).toBe('Nov 2026')
    expect(monthLabel(month({}), false)).toBe('Nov')
    expect(monthLabel(month({ from: '2027-01-01T00:00:00.000Z' }), false)).toBe('Jan 2027')
    expect(monthLabel(month({ month: 'Jun', from: null, to: null }), true)).toBe('Jun')
  })

  test('says how much of it there is, where that is not all', () => {
    expect(partOfMonth(month({}))).toBeUndefined()
    expect(partOfMonth(month({ coverage: 0.98 }))).toBeUndefined()
    expect(partOfMonth(month({ coverage: 0.5 }))).toBe('15 of 30 days')
    // One that goes on is partial however well it was seen.
    expect(partOfMonth(month({ to: '2026-11-21T12:00:00.000Z' }))).toBe('21 of 30 days')
    expect(partOfMonth(month({ to: '2026-11-01T06:00:00.000Z' }))).toBe('<1 of 30 days')
    expect(partOfMonth(month({ from: null, to: null, coverage: null }))).toBeUndefined()
  })

  test('has no verified savings rather than none of 0, and no such column in sample data', () => {
    expect(monthsTable([month({ coverage: 0.5 })])).toEqual({
      columns: [
        'Month',
        'Seen',
        'Baseline, USD',
        'Optimized, USD',
        'Waste, USD',
        'Savings (verified), USD',
        'Capacity freed (verified), USD',
      ],
      rows: [['2026-11', '15 of 30 days', '100.00', '80.00', '20.00', '', '']],
    })
    expect(monthsTable([month({ month: 'Jun', from: null, to: null, coverage: null })])).toEqual({
      columns: ['Month', 'Seen', 'Baseline, USD', 'Optimized, USD', 'Savings, USD'],
      rows: [['Jun', 'sample', '100.00', '80.00', '20.00']],
    })
  })

  test('writes what was freed in dollars, and GPU-hours without a price not as dollars', () => {
    expect(freedCell('USD')).toBe('7.00')
    expect(freedCell('GPU-h')).toBe('')
  })
})
