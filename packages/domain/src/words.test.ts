import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  nameOfWorkload,
  agree,
  asError,
  capitalized,
  cents,
  dollars,
  duration,
  errorText,
  firstFew,
  gpusText,
  grouped,
  listed,
  memory,
  money,
  percent,
  plural,
  short,
  wholePercent,
} from './words.ts'

describe('counts', () => {
  test.each([
    [0, '0 GPUs'],
    [1, '1 GPU'],
    [2, '2 GPUs'],
    [10_240, '10,240 GPUs'],
    [0.5, '0.5 GPUs'],
  ])('%d is %s: one of a kind is no plural, and thousands are told apart', (count, words) =>
    expect(plural(count, 'GPU')).toBe(words),
  )
  test('a word that takes no s is given whole', () => {
    expect(plural(1, 'address', 'addresses')).toBe('1 address')
    expect(plural(2, 'address', 'addresses')).toBe('2 addresses')
  })
  test('a verb goes with a count that stands elsewhere', () =>
    expect([0, 1, 2].map((count) => agree(count, 'is', 'are'))).toEqual(['are', 'is', 'are']))
  test('a number is written as the language writes it, whichever way it comes about', () =>
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: -2000, max: 2000 }), fc.double({ noNaN: true, noDefaultInfinity: true })),
        fc.integer({ min: 0, max: 4 }),
        (amount, decimals) => {
          const wanted = (Object.is(amount, -0) ? 0 : amount).toLocaleString('en-US', {
            maximumFractionDigits: decimals,
          })
          expect(grouped(amount, decimals)).toBe(wanted)
        },
      ),
    ))
  test('a number keeps as many decimals as asked for', () =>
    expect([grouped(1234.5678), grouped(1234.5678, 1), grouped(-1200, 0)]).toEqual(['1,234.568', '1,234.6', '-1,200']))
})

describe('lists', () => {
  test.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a and b'],
    [['a', 'b', 'c'], 'a, b and c'],
  ])('%j is "%s"', (names, words) => expect(listed(names)).toBe(words))
  test('what one may choose from is joined by or', () => expect(listed([0, 2, 4], 'or')).toBe('0, 2 or 4'))
  test('a long one is cut, and says how much of it is left', () => {
    expect(firstFew(['a', 'b', 'c'], 3)).toBe('a, b, c')
    expect(firstFew(['a', 'b', 'c', 'd', 'e'], 3)).toBe('a, b, c and 2 more')
  })
})

describe('shares', () => {
  test('have one decimal, or as many as asked for', () =>
    expect([percent(0.8137), percent(0.8137, 0), percent(-0.05)]).toEqual(['81.4%', '81%', '-5.0%']))
})

describe('failures', () => {
  test('are told in their own words, whatever was thrown', () => {
    expect(errorText(new TypeError('no such host'))).toBe('no such host')
    expect(errorText('stopped')).toBe('stopped')
  })
  test('become errors, and stay the one they are', () => {
    const refused = new RangeError('too much')
    expect(asError(refused)).toBe(refused)
    expect(asError('stopped')).toEqual(new Error('stopped'))
  })
})

/** What a short amount says. */
const read = (text: string): number =>
  Number(text.replaceAll(/[,KM]/gu, '')) * (text.endsWith('K') ? 1e3 : text.endsWith('M') ? 1e6 : 1)

describe('amounts', () => {
  test('no known amount is ever written as NaN, or longer than five characters', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 9.99e8, noNaN: true }), (amount) => {
        expect(short(amount)).toMatch(/^[\d.,]+[KM]?$/u)
        expect(short(amount).length).toBeLessThanOrEqual(5)
      }),
    )
  })
  test('are never told as less than a smaller one', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 9e8, noNaN: true }),
        fc.double({ min: 0, max: 9e8, noNaN: true }),
        (a, b) => {
          const [less, more] = a < b ? [a, b] : [b, a]
          expect(read(short(less))).toBeLessThanOrEqual(read(short(more)))
        },
      ),
    )
  })
})

test.each([
  [0, '0%'],
  [0.002, '<1%'],
  [0.5, '50%'],
  [0.999, '>99%'],
  [1, '100%'],
])('a share of %d is %s: a little is not none, nearly all is not all', (share, words) => {
  expect(wholePercent(share)).toBe(words)
})

test('a debt keeps its sign', () => expect([dollars(-12_400), money(-3.2)]).toEqual(['−$12.4K', '−$3.20']))

test.each([
  [0, '$0'],
  [0.41, '$0.41'],
  [99.99, '$99.99'],
  [99.996, '$100'],
  [1773.21, '$1,773'],
])('%d is %s in a table: cents only below a hundred dollars', (amount, words) => expect(money(amount)).toBe(words))

test.each([
  [999_499, '999K'],
  [999_500, '1M'],
  [9999, '9,999'],
  [9999.4, '9,999'],
  [9999.5, '10K'],
  [10_000, '10K'],
  [99_960, '100K'],
  [9.97, '10'],
  [-12_400, '-12.4K'],
])('%d is short for %s', (amount, words) => expect(short(amount)).toBe(words))

test.each([
  [0, '0 s'],
  [45, '45 s'],
  [59.4, '59 s'],
  [59.6, '1 min'],
  [3599.6, '1 h'],
  [12_000, '3 h 20 min'],
  [172_800, '2 d'],
  [720, '12 min'],
  [7200, '2 h'],
  [187_200, '2 d 4 h'],
])('%d seconds are %s', (seconds, words) => expect(duration(seconds)).toBe(words))

test.each([
  [512.4, '512 MiB'],
  [1023.4, '1023 MiB'],
  [1023.7, '1.0 GiB'],
  [1024, '1.0 GiB'],
  [81_920, '80.0 GiB'],
])('%d MiB are %s', (mebibytes, words) => expect(memory(mebibytes)).toBe(words))

describe('money in documents', () => {
  test.each([
    [0, '$0.00'],
    [0.005, '$0.01'],
    [1234.5, '$1,234.50'],
    [-3.2, '-$3.20'],
  ])('%d is %s, to the cent', (amount, words) => expect(cents(amount)).toBe(words))

  test('has no debt of nothing, as differences that round to it come out', () => {
    const nothing = Math.round(-0.001 * 100) / 100
    expect([money(nothing), cents(nothing), cents(-0.004), money(-0.004)]).toEqual(['$0', '$0.00', '$0.00', '$0.00'])
  })
})

test('GPUs are counted, and MIG devices by their profile', () => {
  expect([gpusText(1, undefined), gpusText(1200, undefined), gpusText(8, '1g.20gb')]).toEqual([
    '1 GPU',
    '1,200 GPUs',
    '8 × 1g.20gb',
  ])
})

test('a sentence begins with a capital, whatever it begins with', () => {
  expect(['it waits.', 'éclair', '4 GPUs', ''].map(capitalized)).toEqual(['It waits.', 'Éclair', '4 GPUs', ''])
})

test('a workload is told by its namespace and its name, which may have slashes', () => {
  expect(nameOfWorkload('lab/Deployment/web')).toBe('lab/web')
  expect(nameOfWorkload('lab/Pod/a/b')).toBe('lab/a/b')
})
