import { HOUR_MS, instant, parseRange, QUICK_RANGE_MS, SPAN_SECONDS, theLast, type Window } from '@septet/domain'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { planRange, planWindow, spreadOver, type RangePlan, type StoredSpans } from './range-plan.ts'

const at = (text: string) => instant(Date.parse(text))
const NOW = at('2026-11-21T11:37:12Z')
const back = (hours: number): Window => ({ from: instant(NOW - hours * HOUR_MS), to: NOW })
const dayOf = (window: Window): Window => ({ from: instant(Math.floor(window.from / 864e5) * 864e5), to: window.to })
const STORED: StoredSpans = { '5m': back(72), '1h': back(40 * 24), '1d': dayOf(back(400 * 24)) }
const context = { now: NOW, rolledUpTo: instant(NOW - 600_000), stored: STORED }
const planned = (asked: string) => {
  const range = parseRange(asked)
  if (range === undefined) throw new Error(`${asked} is no range`)
  return planRange(range, context)
}
const text = ({ from, to }: Window): string => `${new Date(from).toISOString()} ${new Date(to).toISOString()}`

/** How much of each moment of a window is read, in milliseconds: rows that an edge cuts count in part. */
const covered = (plan: RangePlan): number =>
  plan.segments.reduce(
    (sum, { span, window, share }) =>
      sum + (share === undefined ? window.to - window.from : share * SPAN_SECONDS[span] * 1000),
    0,
  )

const anyWindow = fc.tuple(fc.integer({ min: 0, max: 500 * 24 * 60 }), fc.integer({ min: 1, max: 60 * 24 * 60 }))

test('any window is covered to the millisecond, by rows that are there and as long as they can be', () => {
  fc.assert(
    fc.property(anyWindow, fc.integer({ min: 0, max: 7200 }), ([ago, length], lag) => {
      const from = instant(NOW - ago * 60_000)
      const rolledUpTo = instant(NOW - lag * 1000)
      const plan = planWindow({ from, to: instant(from + length * 60_000) }, { ...context, rolledUpTo })
      expect(plan.window).toEqual({ from, to: instant(Math.min(NOW, from + length * 60_000)) })
      expect(covered(plan)).toBeCloseTo(plan.window.to - plan.window.from, 3)
      for (const [order, { span, window, share }] of plan.segments.entries()) {
        const row = SPAN_SECONDS[span] * 1000
        expect(window.from % row).toBe(0)
        expect(window.to === NOW || window.to % row === 0).toBe(true)
        expect(share === undefined || window.to - window.from === row).toBe(true)
        expect(span === '5m' || window.to <= rolledUpTo).toBe(true)
        expect(row).toBeLessThanOrEqual(SPAN_SECONDS[plan.trendSpan] * 1000)
        expect(plan.segments[order + 1]?.window.from ?? window.to).toBeGreaterThanOrEqual(window.to - row)
      }
    }),
  )
})

/** Milliseconds that are read of each hour; a day that is read is its hours. */
const readOf = (plans: readonly RangePlan[]): ReadonlyMap<number, number> => {
  const read = new Map<number, number>()
  for (const { span, window, share = 1 } of plans.flatMap(({ segments }) => segments)) {
    const row = SPAN_SECONDS[span] * 1000
    const piece = Math.min(row, HOUR_MS)
    for (let begins: number = window.from; begins < window.to; begins += piece) {
      const hour = Math.floor(begins / HOUR_MS) * HOUR_MS
      read.set(hour, (read.get(hour) ?? 0) + share * Math.min(piece, window.to - begins))
    }
  }
  return read
}
test('windows that join read together what their whole reads', () => {
  fc.assert(
    fc.property(anyWindow, fc.double({ min: 0, max: 1, noNaN: true }), ([ago, length], part) => {
      const from = instant(NOW - ago * 60_000)
      const to = instant(Math.min(NOW, from + length * 60_000))
      const middle = instant(Math.round(from + (to - from) * part))
      const whole = readOf([planWindow({ from, to }, context)])
      const halves = readOf([planWindow({ from, to: middle }, context), planWindow({ from: middle, to }, context)])
      for (const [hour, read] of whole) expect(halves.get(hour) ?? 0).toBeCloseTo(read, 3)
      for (const hour of halves.keys()) expect(whole.has(hour)).toBe(true)
    }),
  )
})

test('a moment is read from the same rows in whichever window it lies', () => {
  const first = STORED['5m']?.from ?? NOW
  const finely = first - (first % HOUR_MS)
  fc.assert(
    fc.property(fc.integer({ min: 60 * 60, max: 90 * 60 }), fc.integer({ min: 1, max: 36 * 60 }), (ago, length) => {
      const from = instant(NOW - ago * 60_000)
      const { segments } = planWindow({ from, to: instant(from + length * 60_000) }, context)
      const cut = segments.filter(({ span, share }) => span === '1h' && share !== undefined)
      const fine = segments.filter(({ span }) => span === '5m')
      expect(cut.filter(({ window }) => window.to > finely)).toEqual([])
      expect(fine.filter(({ window }) => window.from < finely)).toEqual([])
    }),
  )
})

test('hours that only their own rows tell are read from these, however short the window around them is', () => {
  const hours = {
    '5m': { from: at('2026-11-21T06:00:00Z'), to: NOW },
    '1h': { from: at('2026-11-21T03:00:00Z'), to: NOW },
  }
  const { segments } = planWindow(
    { from: at('2026-11-21T00:20:00Z'), to: at('2026-11-21T06:20:00Z') },
    { ...context, stored: { ...hours, '1d': undefined } },
  )
  expect(segments.filter(({ span }) => span === '1h').map(({ window }) => text(window))).toContain(
    '2026-11-21T01:00:00.000Z 2026-11-21T06:00:00.000Z',
  )
})

test('a range that ends now is just as long as it is called, wherever the rows begin', () => {
  const anyRange = fc.constantFrom('1h', '6h', '24h', '7d', '30d' as const)
  const anyKept = fc.integer({ min: 0, max: 40 * 24 })
  fc.assert(
    fc.property(anyRange, anyKept, fc.integer({ min: 0, max: 7200 }), (name, fineHours, lag) => {
      const rolledUpTo = instant(NOW - lag * 1000)
      const stored = { ...STORED, '5m': back(fineHours), '1h': { ...back(40 * 24), to: rolledUpTo } }
      const plan = planRange(theLast(name), { now: NOW, rolledUpTo, stored })
      expect(plan.window).toEqual(back(QUICK_RANGE_MS[name] / HOUR_MS))
      expect(covered(plan)).toBeCloseTo(QUICK_RANGE_MS[name], 3)
    }),
  )
})

test('a day of a time zone that begins at half past is exact while 5-minute rows are kept', () => {
  const { window, segments } = planned('today@Asia/Kolkata')
  expect(text(window)).toBe('2026-11-20T18:30:00.000Z 2026-11-21T11:37:12.000Z')
  expect(segments.map(({ span }) => span)).toEqual(['5m', '1h', '5m'])
})

test('later the hour at an edge counts in part, and after that the day', () => {
  const hours = planned('2026-11-10T18:30:00Z/2026-11-11T18:30:00Z')
  expect(text(hours.window)).toBe('2026-11-10T18:30:00.000Z 2026-11-11T18:30:00.000Z')
  expect(hours.segments.map(({ span, share }) => [span, share])).toEqual([
    ['1h', 0.5],
    ['1h', undefined],
    ['1h', 0.5],
  ])
  expect(spreadOver(hours)).toBe('1h')
  const days = planned('2026-03-10T06:00:00Z/2026-03-12T18:00:00Z')
  expect(days.segments.map(({ span, share }) => [span, share])).toEqual([
    ['1d', 0.75],
    ['1d', undefined],
    ['1d', 0.75],
  ])
  expect(spreadOver(days)).toBe('1d')
  expect(spreadOver(planned('2026-03-10T00:00:00Z/2026-03-12T00:00:00Z'))).toBe(undefined)
})

test('a month is read from days, and from hours where a time zone cuts the days', () => {
  expect(planned('month@Europe/Berlin').segments.map(({ span }) => span)).toEqual(['1h', '1d', '1h', '5m'])
  expect(planned('last-month').segments.map(({ span }) => span)).toEqual(['1d'])
})

test('what lies ahead is empty, and what was before Septet is as asked', () => {
  expect(planned('2027-01-01T00:00:00Z/2027-01-02T00:00:00Z').segments).toEqual([])
  const { window } = planned('2025-01-01T00:20:00Z/2025-01-02T00:00:00Z')
  expect(text(window)).toBe('2025-01-01T00:20:00.000Z 2025-01-02T00:00:00.000Z')
})
