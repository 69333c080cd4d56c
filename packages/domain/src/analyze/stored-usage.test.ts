import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { DAY_MS, instant } from '../units.ts'
import { droppedBy, type StoredPart, sumOf } from './stored-usage.ts'

const NOW = instant(1000 * DAY_MS)

/** A day of rows that ended so many days ago. */
const part = (ago: number, rows: number): StoredPart => ({
  from: instant(NOW - (ago + 1) * DAY_MS),
  to: instant(NOW - ago * DAY_MS),
  rows,
  bytes: rows * 100,
})

test('what goes is what ended before the oldest moment that is kept', () => {
  const parts = [part(9, 1), part(8, 2), part(7, 4), part(6, 8)]
  expect(droppedBy(parts, 7, NOW)).toEqual({ rows: 7, bytes: 700 })
  expect(droppedBy(parts, 10, NOW)).toEqual({ rows: 0, bytes: 0 })
  expect(droppedBy(parts, 0, NOW)).toEqual(sumOf(parts))
  expect(droppedBy([], 7, NOW)).toEqual({ rows: 0, bytes: 0 })
})

test('longer keeping never drops more', () => {
  const parts = fc.array(fc.tuple(fc.nat(60), fc.nat(1000)), { maxLength: 20 })
  fc.assert(
    fc.property(parts, fc.nat(60), fc.nat(60), (drawn, days, more) => {
      const stored = drawn.map(([ago, rows]) => part(ago, rows))
      expect(droppedBy(stored, days + more, NOW).rows).toBeLessThanOrEqual(droppedBy(stored, days, NOW).rows)
    }),
  )
})
