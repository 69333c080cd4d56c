import { HOUR_MS, instant, parseRange, QUICK_RANGE_MS, SPAN_SECONDS, theLast, type Window } from '@septet/domain'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { planRange, planWindow, type StoredSpans } from './range-plan.ts'
import { segmentsWithin } from './segments.ts'

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
const custom = (from: string, to: string) => planned(`${from}/${to}`).window
const text = ({ from, to }: Window): string => `${new Date(from).toISOString()} ${new Date(to).toISOString()}`

test('segments cover any window wholly and once, with whole rows, none of which is missing', () => {
  const anyWindow = fc.tuple(fc.integer({ min: 0, max: 500 * 24 * 60 }), fc.integer({ min: 1, max: 60 * 24 * 60 }))
  fc.assert(
    fc.property(anyWindow, fc.integer({ min: 0, max: 7200 }), ([ago, length], lag) => {
      const from = instant(NOW - ago * 60_000)
      const rolledUpTo = instant(NOW - lag * 1000)
      const plan = planWindow({ from, to: instant(from + length * 60_000) }, { ...context, rolledUpTo })
      let end = plan.window.from
      for (const { span, window } of plan.segments) {
        expect(window.from).toBe(end)
        expect(window.from % (SPAN_SECONDS[span] * 1000)).toBe(0)
        expect(window.to === NOW || window.to % (SPAN_SECONDS[span] * 1000) === 0).toBe(true)
        expect(window.to).toBeGreaterThan(window.from)
        expect(span === '5m' || window.to <= rolledUpTo).toBe(true)
        expect(SPAN_SECONDS[span]).toBeLessThanOrEqual(SPAN_SECONDS[plan.trendSpan])
        end = window.to
      }
      expect(end).toBe(plan.window.to)
      expect(Math.abs(plan.window.from - from)).toBeLessThanOrEqual(12 * HOUR_MS)
    }),
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
      const covered = plan.segments.map(({ span, window, share }) =>
        share === undefined ? window.to - window.from : share * SPAN_SECONDS[span] * 1000,
      )
      expect(covered.reduce((sum, length) => sum + length, 0)).toBeCloseTo(QUICK_RANGE_MS[name], 3)
      for (const [order, { window }] of plan.segments.entries()) {
        expect(plan.segments[order + 1]?.window.from ?? NOW).toBe(window.to)
      }
      const change = instant(plan.window.from + 60_000)
      const periods = [
        { from: plan.window.from, to: change },
        { from: change, to: NOW },
      ]
      const read = periods.flatMap((period) => segmentsWithin(plan.segments, period))
      expect(read.filter(({ share }) => share !== undefined)).toHaveLength(1)
    }),
  )
})

test('a day of a time zone that begins at half past is exact while 5-minute rows are kept', () => {
  const { window, segments } = planned('today@Asia/Kolkata')
  expect(text(window)).toBe('2026-11-20T18:30:00.000Z 2026-11-21T11:37:12.000Z')
  expect(segments.map(({ span }) => span)).toEqual(['5m', '1h', '5m'])
})

test('later it goes to the nearest hour, and after that to the nearest day', () => {
  expect(text(custom('2026-11-10T18:30:00Z', '2026-11-11T18:30:00Z'))).toBe(
    '2026-11-10T19:00:00.000Z 2026-11-11T19:00:00.000Z',
  )
  expect(text(custom('2026-03-10T05:00:00Z', '2026-03-11T04:00:00Z'))).toBe(
    '2026-03-10T00:00:00.000Z 2026-03-11T00:00:00.000Z',
  )
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
