import { describe, expect, test } from 'vitest'

import { rangeName, reportFileName, reportPeriod } from './report-period.ts'

const window = (from: string, to: string) => ({ from: `${from}:00.000Z`, to: `${to}:00.000Z` })

const CASES = [
  ['7d', window('2026-11-18T21:00', '2026-11-25T21:28'), 'November 18–25, 2026', '2026-11-18-to-2026-11-25'],
  ['30d', window('2026-10-26T21:00', '2026-11-25T21:28'), 'October 26 – November 25, 2026', '2026-10-26-to-2026-11-25'],
  [
    'last-week@UTC',
    window('2025-12-29T00:00', '2026-01-05T00:00'),
    'December 29, 2025 – January 4, 2026',
    '2025-12-29-to-2026-01-04',
  ],
  ['last-month@UTC', window('2026-10-01T00:00', '2026-11-01T00:00'), 'October 2026', '2026-10'],
  [
    'last-month@Europe/Berlin',
    window('2026-09-30T22:00', '2026-10-31T23:00'),
    'October 2026 (Europe/Berlin)',
    '2026-10',
  ],
  ['month@UTC', window('2026-11-01T00:00', '2026-11-25T21:28'), 'November 1–25, 2026', '2026-11-01-to-2026-11-25'],
  [
    '2026-11-24T00:00:00Z/2026-11-25T00:00:00Z',
    window('2026-11-24T00:00', '2026-11-25T00:00'),
    'November 24, 2026',
    '2026-11-24',
  ],
  [
    '1h',
    window('2026-11-25T20:28', '2026-11-25T21:28'),
    'November 25, 2026, 20:28–21:28 UTC',
    '2026-11-25-2028-to-2128',
  ],
] as const

describe('the time that a report is about', () => {
  test.each(CASES)('%s of %j is %s, and names its files %s', (...[range, of, words, name]) => {
    expect(reportPeriod({ range, window: of })).toBe(words)
    const asked = { range, window: of, source: { id: 'demo' } }
    expect(reportFileName('pdf', asked)).toBe(`septet-demo-report-${name}.pdf`)
    expect(reportFileName('json', asked)).toBe(`septet-demo-report-${name}.json`)
    expect(reportFileName('focus', asked)).toBe(`septet-demo-focus-${name}.csv`)
  })

  test('is none for sample data', () => {
    const asked = { range: '7d', window: null }
    expect([reportPeriod(asked), rangeName(asked)]).toEqual(['Sample data', undefined])
    expect(reportFileName('pdf', { ...asked, source: { id: 'sample' } })).toBe('septet-sample-report.pdf')
  })

  test('is called by its length where it ends now', () => {
    const of = CASES[0][1]
    expect(rangeName({ range: '7d', window: of })).toBe('last 7 days')
    expect(rangeName({ range: 'last-month@UTC', window: of })).toBeUndefined()
  })
})
