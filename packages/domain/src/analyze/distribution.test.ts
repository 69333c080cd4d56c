import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { meanOf, quantileOf, quantileOfSorted, shareOf } from './distribution.ts'

// Plus 0 makes -0 of it 0: which of the two is lower is nobody's concern.
const values = fc.array(
  fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value + 0),
  { minLength: 1, maxLength: 40 },
)
const share = fc.double({ min: 0, max: 1, noNaN: true })

describe('quantileOf', () => {
  test.each([
    [[1, 2, 3, 4], 0.5, 2.5],
    [[1, 2, 3, 4], 0.25, 1.75],
    [[4, 1, 3, 2], 0.9, 3.7],
    [[7], 0.3, 7],
  ])('of %j at %f is %f, as NumPy says', (list, at, expected) => {
    expect(quantileOf(list, at)).toBeCloseTo(expected, 12)
  })

  test('lies between the lowest and the highest, which are its ends', () => {
    fc.assert(
      fc.property(values, share, (list, at) => {
        const found = quantileOf(list, at) ?? Number.NaN
        expect(found).toBeGreaterThanOrEqual(Math.min(...list) - 1e-6)
        expect(found).toBeLessThanOrEqual(Math.max(...list) + 1e-6)
        expect(quantileOf(list, 0)).toBe(Math.min(...list))
        expect(quantileOf(list, 1)).toBe(Math.max(...list))
      }),
    )
  })

  test('never falls as the share grows', () => {
    fc.assert(
      fc.property(values, share, share, (list, a, b) => {
        const [low, high] = [quantileOf(list, Math.min(a, b)) ?? 0, quantileOf(list, Math.max(a, b)) ?? 0]
        expect(low).toBeLessThanOrEqual(high + 1e-6)
      }),
    )
  })

  test('does not depend on the order, and leaves the list as it was', () => {
    fc.assert(
      fc.property(values, share, (list, at) => {
        const before = [...list]
        expect(quantileOf(list.toReversed(), at)).toBe(quantileOf(list, at))
        expect(
          quantileOfSorted(
            list.toSorted((a, b) => a - b),
            at,
          ),
        ).toBe(quantileOf(list, at))
        expect(list).toEqual(before)
      }),
    )
  })
})

test('a mean lies between the lowest and the highest, and moves with its numbers', () => {
  fc.assert(
    fc.property(values, fc.integer({ min: -1000, max: 1000 }), (list, by) => {
      const mean = meanOf(list) ?? Number.NaN
      expect(mean).toBeGreaterThanOrEqual(Math.min(...list) - 1e-6)
      expect(mean).toBeLessThanOrEqual(Math.max(...list) + 1e-6)
      expect(meanOf(list.map((value) => value + by))).toBeCloseTo(mean + by, 5)
    }),
  )
})

test('the share that passes and the share that does not make 1', () => {
  fc.assert(
    fc.property(values, fc.double({ min: -1e6, max: 1e6, noNaN: true }), (list, limit) => {
      const below = shareOf(list, (value) => value < limit) ?? Number.NaN
      expect(below + (shareOf(list, (value) => value >= limit) ?? Number.NaN)).toBeCloseTo(1, 12)
    }),
  )
})

test('no numbers have no mean, no quantile and no share, not 0', () => {
  expect([meanOf([]), quantileOf([], 0.5), shareOf([], () => true)]).toEqual([undefined, undefined, undefined])
})
