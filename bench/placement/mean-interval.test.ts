import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { meanInterval } from './mean-interval.ts'

const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 60 })

test('two samples: half the distance times 12.706', () => {
  expect(meanInterval([1, 3])).toEqual({ mean: 2, halfWidth: expect.closeTo(12.706, 9), samples: 2 })
})

test('one sample has a mean and no interval', () => {
  expect(meanInterval([4])).toEqual({ mean: 4, halfWidth: undefined, samples: 1 })
})

test('moves with its samples and grows with their spread', () => {
  fc.assert(
    fc.property(values, fc.integer({ min: -50, max: 50 }), fc.integer({ min: 1, max: 9 }), (list, by, times) => {
      const { mean, halfWidth = Number.NaN } = meanInterval(list)
      const moved = meanInterval(list.map((value) => value * times + by))
      expect(moved.mean).toBeCloseTo(mean * times + by, 6)
      expect(moved.halfWidth).toBeCloseTo(halfWidth * times, 6)
    }),
  )
})

test('equal samples leave no doubt', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 2, max: 60 }), (value, count) => {
      const list = Array.from({ length: count }, () => value)
      expect(meanInterval(list).halfWidth).toBeCloseTo(0, 3)
    }),
  )
})

test('the same samples seen twice are surer', () => {
  fc.assert(
    fc.property(values, (list) => {
      const once = meanInterval(list).halfWidth ?? Number.NaN
      expect(meanInterval([...list, ...list]).halfWidth).toBeLessThanOrEqual(once + 1e-9)
    }),
  )
})
