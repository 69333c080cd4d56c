import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { dollars, duration, figureWords, short, wholePercent } from './figure-words.ts'

describe('a figure in words', () => {
  test.each([
    [0.873, 'ratio', '87.3%', ''],
    [324_000, 'USD', '$324K', ''],
    [84_210, 'USD/mo', '$84.2K', '/mo'],
    [1200, 'USD/mo', '$1,200', '/mo'],
    [0, 'USD', '$0.00', ''],
    [2.5, 'USD/GPU-h', '$2.50', '/GPU-h'],
    [41_200, 'GPU-h', '41.2K', ' GPU-h'],
    [127, 'count', '127', ''],
    [8460, 's', '2 h 21 min', ''],
  ] as const)('%d %s is %s%s', (value, unit, ...[words, suffix]) => {
    expect(figureWords({ value, unit })).toEqual({ known: true, value: words, unit: suffix })
  })

  test.each([null, Number.NaN, Number.POSITIVE_INFINITY])('%s is not measured, and never 0', (value) => {
    expect(figureWords({ value, unit: 'USD' })).toEqual({ known: false, value: 'Not measured', unit: '' })
  })

  test('no known amount is ever written as NaN, or longer than six characters', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 9.99e8, noNaN: true }), (amount) => {
        expect(short(amount)).toMatch(/^[\d.,]+[KM]?$/u)
        expect(short(amount).length).toBeLessThanOrEqual(6)
      }),
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

test('a debt keeps its sign', () => expect(dollars(-12_400)).toBe('−$12.4K'))

test.each([
  [999_499, '999K'],
  [999_500, '1M'],
  [9999, '9,999'],
  [10_000, '10K'],
])('%d is short for %s', (amount, words) => expect(short(amount)).toBe(words))

test.each([
  [45, '45 s'],
  [720, '12 min'],
  [7200, '2 h'],
  [187_200, '2 d 4 h'],
])('%d seconds are %s', (seconds, words) => expect(duration(seconds)).toBe(words))
