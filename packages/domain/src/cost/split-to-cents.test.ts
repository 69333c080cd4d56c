import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { splitToCents, toCents } from './split-to-cents.ts'

const amounts = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 30 })
const inCents = (amount: number): number => Math.round(amount * 100)
const sumOf = (list: readonly number[]): number => list.reduce((sum, each) => sum + each, 0)

describe('splitToCents', () => {
  test('three thirds of a dollar are 34, 33 and 33 cents', () => {
    expect(splitToCents([1 / 3, 1 / 3, 1 / 3])).toEqual([0.34, 0.33, 0.33])
  })

  test('adds up to the whole, and leaves every amount within a cent of what it was', () => {
    fc.assert(
      fc.property(amounts, (list) => {
        const split = splitToCents(list)
        expect(sumOf(split.map(inCents))).toBe(inCents(sumOf(list)))
        for (const [index, amount] of split.entries()) {
          expect(Math.abs(amount - (list[index] ?? 0))).toBeLessThan(0.01 + 1e-7)
          expect(inCents(amount) / 100).toBe(amount)
        }
      }),
    )
  })

  test('meets a total that is shown elsewhere, and no amount falls below 0', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: -10, max: 10 }), (list, off) => {
        const whole = Math.max(0, inCents(sumOf(list)) + off) / 100
        const split = splitToCents(list, whole)
        expect(Math.min(...split)).toBeGreaterThanOrEqual(0)
        expect(sumOf(split.map(inCents))).toBe(inCents(whole))
      }),
    )
  })

  test('keeps whole cents as they are, in whatever order they come', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1e6 })), (cents) => {
        const list = cents.map((each) => each / 100)
        expect(splitToCents(list)).toEqual(list)
      }),
    )
  })

  test('has nothing to split of nothing', () => {
    expect(splitToCents([])).toEqual([])
  })
})

test('an amount to the cent is the nearest one', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), (amount) => {
      expect(Math.abs(toCents(amount) - amount)).toBeLessThanOrEqual(0.005 + 1e-9)
    }),
  )
})
