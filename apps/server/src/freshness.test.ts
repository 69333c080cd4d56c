import {
  DAY_MS,
  HOUR_MS,
  instant,
  MINUTE_MS,
  QUICK_RANGE_MS,
  spanOfRange,
  theLast,
  type Instant,
  type QuickRange,
  type TimeRange,
  type Window,
} from '@septet/domain'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { ageWords, isOutdated, shareRead, unreadWords, type LookedBack } from './freshness.ts'
import { planRange } from './usage/range-plan.ts'

const NOON = instant(Date.UTC(2026, 10, 4, 12))
const NOTHING_STORED = { '5m': undefined, '1h': undefined, '1d': undefined }

/** What an analysis looks back on that is made at an instant. */
const made = (range: TimeRange, madeAt: Instant): LookedBack => ({
  range,
  window: planRange(range, { now: madeAt, rolledUpTo: instant(0), stored: NOTHING_STORED }).window,
  madeAt,
})

const CALENDAR_RANGES = ['today', 'week', 'month', 'last-week', 'last-month'] as const
const quickNames = Object.keys(QUICK_RANGE_MS) as QuickRange[]
const instants = fc.integer({ min: NOON - 40 * DAY_MS, max: NOON + 40 * DAY_MS }).map(instant)
const ranges = fc.oneof(
  fc.constantFrom(...quickNames).map(theLast),
  fc.record({
    kind: fc.constant('calendar' as const),
    name: fc.constantFrom(...CALENDAR_RANGES),
    zone: fc.constantFrom('UTC', 'Asia/Kolkata', 'America/New_York'),
  }),
  fc
    .tuple(instants, fc.integer({ min: MINUTE_MS, max: 60 * DAY_MS }))
    .map(([from, length]): TimeRange => ({ kind: 'custom', window: { from, to: instant(from + length) } })),
)

/** By how much the window of an answer may miss the newest reading: 5 % of its range. */
function misses({ range, window }: LookedBack, asOf: Instant): boolean {
  const asked = spanOfRange(range, asOf)
  const end = Math.min(asked.to, asOf)
  return Math.abs(end - window.to) > (asked.to - asked.from) / 20
}

describe('how fresh an answer is', () => {
  test('one that misses the newest reading by more than 5 % of its range says so', () => {
    fc.assert(
      fc.property(ranges, instants, fc.integer({ min: 0, max: 3 * DAY_MS }), (range, madeAt, later) => {
        const asOf = instant(madeAt + later)
        const found = made(range, madeAt)
        // Before a range has begun its window is empty; once it was over, its edges go to the nearest rows.
        fc.pre(spanOfRange(range, asOf).from < asOf && madeAt < spanOfRange(range, asOf).to)
        const isSaid = ageWords(found, asOf) !== undefined
        return (isSaid || !misses(found, asOf)) && (!isSaid || isOutdated(found, asOf))
      }),
      { numRuns: 2000 },
    )
    expect(misses(made(theLast('1h'), NOON), instant(NOON + HOUR_MS))).toBe(true)
  })

  test('one that is made at the newest reading or after it is never waited for', () => {
    fc.assert(
      fc.property(ranges, instants, fc.integer({ min: 0, max: 3 * DAY_MS }), (range, asOf, later) => {
        expect(isOutdated(made(range, instant(asOf + later)), asOf)).toBe(false)
      }),
    )
  })

  test('a range that was over when it was analyzed is fresh, however long ago that was', () => {
    const past = fc.tuple(ranges, instants).filter(([range, at]) => spanOfRange(range, at).to <= at - MINUTE_MS)
    fc.assert(
      fc.property(past, fc.integer({ min: 0, max: 30 * DAY_MS }), ([range, madeAt], later) => {
        const asOf = instant(madeAt + later)
        fc.pre(spanOfRange(range, asOf).from === spanOfRange(range, madeAt).from)
        const found = made(range, madeAt)
        expect([isOutdated(found, asOf), ageWords(found, asOf)]).toEqual([false, undefined])
      }),
    )
  })

  test('a day, a week or a month of before is not told for the one that has begun', () => {
    for (const name of CALENDAR_RANGES) {
      const range: TimeRange = { kind: 'calendar', name, zone: 'UTC' }
      const begins = { ...range, name: name.replace('last-', '') as 'week' }
      const start = name === 'today' ? NOON + 12 * HOUR_MS : spanOfRange(begins, NOON).to
      const found = made(range, instant(start - 1000))
      const asOf = instant(start + 1000)
      expect([name, isOutdated(found, asOf)]).toEqual([name, true])
      expect(ageWords(found, asOf)).toContain('in between is not in them yet')
    }
  })

  test('a cluster that was not read since says so, and nothing is waited for', () => {
    const found = made(theLast('1h'), NOON)
    const asOf = instant(NOON - 31 * MINUTE_MS)
    expect(isOutdated(found, asOf)).toBe(false)
    expect(ageWords(found, asOf)).toBe(
      'The cluster was last read at Nov 4, 2026, 11:29 (UTC), before this range ends at Nov 4, 2026, 12:00 (UTC). What happened since is not in these figures.',
    )
  })

  test('half an hour is worth waiting for over a day, and worth no word', () => {
    const found = made(theLast('24h'), instant(NOON - 29 * MINUTE_MS))
    expect([isOutdated(found, NOON), ageWords(found, NOON)]).toEqual([true, undefined])
  })
})

const inside = (at: number, { from, to }: Window): boolean => from <= at && at < to

describe('a past that is not read yet', () => {
  const windows = fc
    .tuple(instants, fc.integer({ min: 0, max: 20 * DAY_MS }))
    .map(([from, length]): Window => ({ from, to: instant(from + length) }))
  const histories = fc
    .tuple(fc.integer({ min: 1, max: 5000 }), fc.nat(5000), fc.array(windows, { maxLength: 3 }))
    .map(([of, done, left]) => ({ done: Math.min(done, of), of, left, detail: '' }))

  test('is said of a window exactly where the two meet, as less than all of it', () => {
    fc.assert(
      fc.property(histories, windows, (history, window) => {
        const share = shareRead(history, window)
        // Any instant that lies in both: where they meet, the later of two beginnings does.
        const starts = history.left.flatMap(({ from }) => [from, window.from])
        const meets = history.left.some((left) => starts.some((at) => inside(at, left) && inside(at, window)))
        expect(share !== undefined).toBe(meets)
        expect(share ?? 0).toBeLessThan(1)
        expect(share ?? 0).toBeLessThanOrEqual(history.done / history.of)
        expect(unreadWords(history, window) === undefined).toBe(!meets)
      }),
    )
  })

  test('is nothing once there is none, nor of what an older Septet has kept', () => {
    const window = { from: instant(0), to: NOON }
    expect(unreadWords(undefined, window)).toBeUndefined()
    expect(unreadWords({ done: 1, of: 2, detail: '' }, window)).toBeUndefined()
  })
})
