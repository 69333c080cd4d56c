import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { DAY_MS, HOUR_MS, instant } from '../units.ts'
import { dateOfDay, dateText, dayNumber, weekdayOf } from './civil-date.ts'
import {
  CALENDAR_RANGES,
  daysTouching,
  monthsTouching,
  instantOf,
  parseRange,
  QUICK_RANGE_MS,
  rangeText,
  secondText,
  spanBefore,
  spanOfRange,
  theLast,
  type QuickRange,
  type TimeRange,
} from './time-range.ts'
import { dateIn, instantIn, isZone, startOfDate, wallText } from './zoned-time.ts'

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Los_Angeles',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Africa/Cairo',
  'America/Sao_Paulo',
  'Asia/Beirut',
  'Pacific/Apia',
]
const anyZone = fc.constantFrom(...ZONES)
/* oxlint-disable no-restricted-globals -- the calendar of the runtime is what ours is held against */
const at = (text: string) => instant(Date.parse(text))
const iso = (time: number) => new Date(time).toISOString()
const weekday = (time: number) => (new Date(time).getUTCDay() + 6) % 7
/* oxlint-enable no-restricted-globals */
const anyAt = fc.integer({ min: at('2009-01-01T00:00:00Z'), max: at('2037-01-01T00:00:00Z') }).map(instant)
const anyRange: fc.Arbitrary<TimeRange> = fc.oneof(
  fc.constantFrom(...(Object.keys(QUICK_RANGE_MS) as QuickRange[])).map((name) => ({ kind: 'quick', name }) as const),
  fc.record({ kind: fc.constant('calendar' as const), name: fc.constantFrom(...CALENDAR_RANGES), zone: anyZone }),
  fc
    .tuple(
      fc.integer({ min: at('0000-01-01T00:00:00Z') / 1000, max: at('9997-01-01T00:00:00Z') / 1000 }),
      fc.integer({ min: 1, max: 800 * 86_400 }),
    )
    .map(([from, seconds]) => {
      const window = { from: instant(from * 1000), to: instant((from + seconds) * 1000) }
      return { kind: 'custom', window } as const
    }),
)
const custom = (from: string, to: string): TimeRange | undefined => parseRange(`${from}/${to}`)
function writtenAgain(text: string): string | undefined {
  const range = parseRange(text)
  return range === undefined ? undefined : rangeText(range)
}

describe('dates', () => {
  test('are those of the runtime, back and forth', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000, max: 100_000 }), (number) => {
        const date = dateOfDay(number)
        expect(dateText(date)).toBe(iso(number * DAY_MS).slice(0, 10))
        expect(dayNumber(date)).toBe(number)
        expect(weekdayOf(number)).toBe(weekday(number * DAY_MS))
      }),
    )
  })
})

describe('days of a time zone', () => {
  test.each([
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', 23],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', 25],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', 23],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00.000Z', 24.5],
    ['Asia/Kolkata', '2026-10-25', '2026-10-24T18:30:00.000Z', 24],
    // The clock goes from 00:00 to 01:00: the day has no midnight.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', 23],
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', 23],
  ])('in %s %s begins at %s and has %d hours', (...[zone, date, begins, hours]) => {
    const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
    const start = startOfDate(zone, { year, month, day })
    expect(iso(start)).toBe(begins)
    expect(daysTouching(zone, { from: start, to: instant(start + 1) })).toEqual([
      {
        date,
        weekday: weekdayOf(dayNumber({ year, month, day })),
        window: { from: start, to: instant(start + hours * HOUR_MS) },
      },
    ])
  })

  test('follow each other without a hole, are of their date all through, and are 22 to 26 hours long', () => {
    fc.assert(
      fc.property(anyZone, anyAt, fc.integer({ min: 1, max: 40 * DAY_MS }), (zone, from, length) => {
        const window = { from, to: instant(from + length) }
        const days = daysTouching(zone, window)
        expect(days[0]?.window.from).toBeLessThanOrEqual(window.from)
        expect(days.at(-1)?.window.to).toBeGreaterThanOrEqual(window.to)
        for (const [order, day] of days.entries()) {
          expect(days[order + 1]?.window.from ?? day.window.to).toBe(day.window.to)
          expect(dateText(dateIn(zone, day.window.from))).toBe(day.date)
          expect(dateText(dateIn(zone, instant(day.window.to - 1)))).toBe(day.date)
          const hours = (day.window.to - day.window.from) / HOUR_MS
          expect(hours).toBeGreaterThanOrEqual(22)
          expect(hours).toBeLessThanOrEqual(26)
        }
      }),
      { numRuns: 150 },
    )
  })

  test('of a month follow each other from its first day on, and so do months', () => {
    fc.assert(
      fc.property(anyZone, anyAt, fc.integer({ min: 1, max: 400 * DAY_MS }), (zone, from, length) => {
        const window = { from, to: instant(from + length) }
        const months = monthsTouching(zone, window)
        expect(months[0]?.from).toBeLessThanOrEqual(window.from)
        expect(months[0]?.to).toBeGreaterThan(window.from)
        expect(months.at(-1)?.to).toBeGreaterThanOrEqual(window.to)
        expect(months.at(-1)?.from).toBeLessThan(window.to)
        for (const [order, month] of months.entries()) {
          expect(months[order + 1]?.from ?? month.to).toBe(month.to)
          const [first, last] = [dateText(dateIn(zone, month.from)), dateText(dateIn(zone, instant(month.to - 1)))]
          expect(first.slice(8)).toBe('01')
          expect(last.slice(0, 7)).toBe(first.slice(0, 7))
        }
      }),
      { numRuns: 150 },
    )
  })

  test('the clock of a zone is read and set', () => {
    fc.assert(
      fc.property(anyZone, anyAt, (zone, when) => {
        const minute = instant(Math.floor(when / 60_000) * 60_000)
        const wall = wallText(zone, minute)
        const [date = '', time = ''] = wall.split('T')
        const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
        const [hour = 0, past = 0] = time.split(':').map(Number)
        const set = instantIn(zone, { year, month, day }, hour * 60 + past)
        expect(wallText(zone, set)).toBe(wall)
        expect(set).toBeLessThanOrEqual(minute)
      }),
    )
  })

  test('a day that was left out is none', () => {
    const days = daysTouching('Pacific/Apia', { from: at('2011-12-29T12:00:00Z'), to: at('2011-12-31T12:00:00Z') })
    expect(days.map(({ date }) => date)).toEqual(['2011-12-29', '2011-12-31', '2012-01-01'])
  })

  test('a zone is one of the database', () => {
    expect(ZONES.every(isZone)).toBe(true)
    expect(['', 'Mars/Olympus', 'Europe/Berlin;', '<b>', '../x', 'constructor'].filter(isZone)).toEqual([])
  })
})

describe('a range', () => {
  test('is read from its text', () => {
    expect(parseRange('24h')).toEqual({ kind: 'quick', name: '24h' })
    expect(parseRange('month')).toEqual({ kind: 'calendar', name: 'month', zone: 'UTC' })
    expect(parseRange('last-week@America/New_York')).toEqual({
      kind: 'calendar',
      name: 'last-week',
      zone: 'America/New_York',
    })
    expect(custom('2026-11-01T00:00:00Z', '2026-11-02T00:00:00+01:00')).toEqual({
      kind: 'custom',
      window: { from: at('2026-11-01T00:00:00Z'), to: at('2026-11-01T23:00:00Z') },
    })
    expect(custom('2026-11-01T00:00Z', '2026-11-01T00:01Z')).toBeDefined()
  })

  test('is read from what is written of it, whatever zone would be meant otherwise', () => {
    fc.assert(
      fc.property(anyRange, anyZone, (range, zone) => {
        expect(parseRange(rangeText(range))).toEqual(range)
        expect(parseRange(rangeText(range), zone)).toEqual(range)
      }),
    )
  })

  test('is written the same whichever way its text was written', () => {
    const written = [
      ['30d', '30d'],
      ['today', 'today@UTC'],
      ['last-month@Asia/Kolkata', 'last-month@Asia/Kolkata'],
      ['2026-11-01T00:00Z/2026-11-02T00:00:00.250+01:00', '2026-11-01T00:00:00.000Z/2026-11-01T23:00:00.000Z'],
    ] as const
    expect(written.map(([text]) => [text, writtenAgain(text)])).toEqual(written)
    const window = { from: at('1969-12-31T23:59:59.007Z'), to: at('2026-11-22T08:09:10.123Z') }
    expect(rangeText({ kind: 'custom', window })).toBe(`${iso(window.from)}/${iso(window.to)}`)
  })

  test('of the calendar is of the zone that is given, where its text names none', () => {
    expect(parseRange('week', 'Asia/Kolkata')).toEqual({ kind: 'calendar', name: 'week', zone: 'Asia/Kolkata' })
    expect(parseRange('week@UTC', 'Asia/Kolkata')).toEqual({ kind: 'calendar', name: 'week', zone: 'UTC' })
    expect(parseRange('week', 'Mars/Olympus')).toBeUndefined()
  })

  test('is not read from anything else', () => {
    const wrong = [
      '',
      '2h',
      'month@',
      'month@Mars/Olympus',
      'constructor',
      '2026-11-01T00:00:00Z',
      '2026-11-01T00:00:00/2026-11-02T00:00:00',
      '2026-11-02T00:00:00Z/2026-11-01T00:00:00Z',
      '2026-02-30T00:00:00Z/2026-03-01T00:00:00Z',
      '2020-01-01T00:00:00Z/2026-01-01T00:00:00Z',
      '2026-11-01T00:00:00Z/2026-11-02T00:00:00Z/x',
      '0000-01-01T00:00:00+01:00/0000-01-02T00:00:00Z',
      '9999-12-31T00:00:00Z/9999-12-31T23:30:00-01:00',
    ]
    expect(wrong.filter((text) => parseRange(text) !== undefined)).toEqual([])
  })

  test('of a calendar holds now where it runs, and joins the one before and the next', () => {
    fc.assert(
      fc.property(anyZone, anyAt, (zone, now) => {
        const span = (name: (typeof CALENDAR_RANGES)[number]) => spanOfRange({ kind: 'calendar', name, zone }, now)
        for (const name of ['today', 'week', 'month'] as const) {
          expect(span(name).from).toBeLessThanOrEqual(now)
          expect(span(name).to).toBeGreaterThan(now)
        }
        expect(span('last-week').to).toBe(span('week').from)
        expect(span('last-month').to).toBe(span('month').from)
        const before = spanBefore({ kind: 'calendar', name: 'month', zone }, { from: span('month').from, to: now })
        expect(before.from).toBe(span('last-month').from)
        expect(before.to).toBeLessThanOrEqual(span('month').from)
        const week = spanBefore({ kind: 'calendar', name: 'last-week', zone }, span('last-week'))
        expect(week.to).toBe(span('last-week').from)
      }),
      { numRuns: 150 },
    )
  })

  test('is a month of 743 or 745 hours where the clock changes in it', () => {
    const middles = ['2026-03-15T12:00:00Z', '2026-10-15T12:00:00Z', '2026-07-15T12:00:00Z']
    const month = { kind: 'calendar', name: 'month', zone: 'Europe/Berlin' } as const
    const spans = middles.map((middle) => spanOfRange(month, at(middle)))
    expect(spans.map(({ from, to }) => (to - from) / HOUR_MS)).toEqual([743, 745, 744])
  })
})

const window = (from: string, to: string) => ({ from: at(from), to: at(to) })
const calendar = (name: (typeof CALENDAR_RANGES)[number]) =>
  ({ kind: 'calendar', name, zone: 'Europe/Berlin' }) as const

describe('the stretch before', () => {
  test('of the last hours, or of two instants, is as long and ends where they begin', () => {
    const now = at('2026-11-02T00:00:00Z')
    const day = spanOfRange(theLast('24h'), now)
    expect(day).toEqual(window('2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z'))
    expect(spanBefore(theLast('24h'), day)).toEqual(window('2026-10-31T00:00:00Z', '2026-11-01T00:00:00Z'))
    const twoInstants = { kind: 'custom', window: day } as const
    expect(spanOfRange(twoInstants, at('2030-01-01T00:00:00Z'))).toEqual(day)
    expect(spanBefore(twoInstants, day)).toEqual(spanBefore(theLast('24h'), day))
  })

  test('of today is yesterday as far as today has come, also where a clock was changed', () => {
    // Sunday had 25 hours and began at 22:00 UTC, Monday at 23:00.
    const monday = window('2026-10-25T23:00:00Z', '2026-10-26T08:00:00Z')
    expect(spanBefore(calendar('today'), monday)).toEqual(window('2026-10-24T22:00:00Z', '2026-10-25T07:00:00Z'))
  })

  test('of a day longer than the one before is never more than that one', () => {
    const sunday = window('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z')
    expect(spanBefore(calendar('today'), sunday)).toEqual(window('2026-10-23T22:00:00Z', '2026-10-24T22:00:00Z'))
  })

  test('of a week or month that is over is the whole one before it', () => {
    const october = window('2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z')
    expect(spanBefore(calendar('last-month'), october)).toEqual(window('2026-08-31T22:00:00Z', '2026-09-30T22:00:00Z'))
  })
})

test.each([
  '2026-11-01T24:00:00Z',
  '2026-11-01T12:60:00Z',
  '2026-11-01T12:00:60Z',
  '2026-11-01T12:00:00+01:60',
  '2026-13-01T00:00:00Z',
  '2026-11-01',
  '',
])('"%s" is no instant', (text) => expect(instantOf(text)).toBeUndefined())

test('an instant is written to the second for those who take no more', () => {
  expect(secondText(at('2026-11-01T12:34:56.789Z'))).toBe('2026-11-01T12:34:56Z')
  expect(secondText(instant(-1))).toBe('1969-12-31T23:59:59Z')
})
