import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { columnToCents, splitToCents, toCents } from './split-to-cents.ts'

const amounts = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 30 })
const inCents = (amount: number): number => Math.round(amount * 100)
const sumOf = (list: readonly number[]): number => list.reduce((sum, each) => sum + each, 0)

test('a column adds up to the total that it stands by, and not to one of something else', () => {
  expect(columnToCents([1 / 3, undefined, 1 / 3, 1 / 3], 1.000_001)).toEqual([0.34, undefined, 0.33, 0.33])
  expect(columnToCents([10.004, 10.004], 20.008)).toEqual([10.01, 10])
  expect(columnToCents([10, 10], 90)).toEqual([10, 10])
  const list = fc.array(fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: undefined }), { maxLength: 40 })
  fc.assert(
    fc.property(list, fc.double({ min: -0.002, max: 0.002, noNaN: true }), (rows, off) => {
      const exact = rows.reduce<number>((sum, amount) => sum + (amount ?? 0), 0)
      const total = Math.max(0, exact + off)
      const column = columnToCents(rows, total)
      const cents = column.reduce<number>((sum, amount) => sum + Math.round((amount ?? 0) * 100), 0)
      const isAny = rows.some((amount) => amount !== undefined)
      expect(cents).toBe(isAny ? Math.round(total * 100) : 0)
      for (const [row, amount] of rows.entries()) {
        expect(column[row] === undefined).toBe(amount === undefined)
        expect(Math.abs((column[row] ?? 0) - (amount ?? 0))).toBeLessThan(0.0101)
      }
    }),
  )
})

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
