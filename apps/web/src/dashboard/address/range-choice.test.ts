import { RangeText } from '@septet/contract'
import { rangeText } from '@septet/domain'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { CALENDAR_WORDS, rangeOf, rangePhrase, rangeWords, RANGE_WORDS, zoneOf } from './range-choice.ts'

const over = (text: string) => rangeOf(text, 'Europe/Berlin')
const asked = (text: string): string => rangeText(over(text))

afterEach(() => void vi.useRealTimers())

describe('the range of an address', () => {
  test('is one that the server takes, whatever stands there', () => {
    const written = [
      ...Object.keys(RANGE_WORDS),
      ...Object.keys(CALENDAR_WORDS),
      '2026-11-01T00:00:00Z/2026-11-02T00:00:00+01:00',
      '2026-11-01T00:00Z/2026-11-02T00:00Z',
      '2026-11-02T00:00:00Z/2026-11-01T00:00:00Z',
      '2020-01-01T00:00:00Z/2026-01-01T00:00:00Z',
      'constructor',
      '<b>',
      '',
    ]
    expect(written.filter((text) => !RangeText.safeParse(asked(text)).success)).toEqual([])
  })

  test('of the calendar is of the chosen time zone, and is said in words', () => {
    expect(asked('last-week')).toBe('last-week@Europe/Berlin')
    expect(rangeWords(over('last-week'), 'UTC')).toBe('Last week')
    expect(rangeWords(over('7d'), 'UTC')).toBe('Last 7 days')
    vi.setSystemTime(Date.parse('2026-11-22T00:00:00Z'))
    expect(rangeWords(over('2026-11-01T00:00:00Z/2026-11-02T12:30:00Z'), 'Asia/Kolkata')).toBe(
      'Nov 1, 05:30 to Nov 2, 18:00',
    )
    // Another year is not a day of this one.
    expect(rangeWords(over('2019-03-01T00:00:00Z/2019-03-01T01:00:00Z'), 'UTC')).toBe(
      'Mar 1, 2019, 00:00 to Mar 1, 2019, 01:00',
    )
  })

  test('is said within a sentence as a sentence says it', () => {
    expect(rangePhrase(over('7d'), 'UTC')).toBe('in the last 7 days')
    expect(rangePhrase(over('month'), 'UTC')).toBe('this month')
    expect(rangePhrase(over('2019-11-01T00:00:00Z/2019-11-02T00:00:00Z'), 'UTC')).toMatch(
      /^from Nov 1, 2019, 00:00 to/u,
    )
  })

  test('names its zone where a mailed report links to it', () => {
    expect(asked('last-month@Asia/Kolkata')).toBe('last-month@Asia/Kolkata')
    expect(rangeWords(over('last-month@Asia/Kolkata'), 'UTC')).toBe('Last month')
    expect(asked('last-month@Mars/Olympus')).toBe('24h')
  })

  test('that makes no sense is the last 24 hours, and such a zone is none', () => {
    expect([
      asked('2h'),
      asked('2026-11-01T00:00:00Z'),
      asked('1h/2h'),
      asked('2026-02-30T00:00Z/2026-03-05T00:00Z'),
    ]).toEqual(Array(4).fill('24h'))
    expect([zoneOf('Mars/Olympus'), zoneOf('<b>'), zoneOf(null), zoneOf('Asia/Kolkata')]).toEqual([
      undefined,
      undefined,
      undefined,
      'Asia/Kolkata',
    ])
  })
})
