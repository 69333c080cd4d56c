import { describe, expect, test } from 'vitest'

import { figureInWords, intervalWords } from './figure-words.ts'

describe('a figure in words', () => {
  test.each([
    [0.873, 'ratio', '87.3%', ''],
    [324_000, 'USD', '$324K', ''],
    [84_210, 'USD/mo', '$84.2K', '/mo'],
    [1200, 'USD/mo', '$1,200', '/mo'],
    [0, 'USD', '$0', ''],
    [2.5, 'USD/GPU-h', '$2.50', '/GPU-h'],
    [3834.21, 'USD/GPU-h', '$3,834', '/GPU-h'],
    [41_200, 'GPU-h', '41.2K', ' GPU-h'],
    [127, 'count', '127', ''],
    [8460, 's', '2 h 21 min', ''],
  ] as const)('%d %s is %s%s', (value, unit, ...[words, suffix]) => {
    expect(figureInWords({ value, unit })).toEqual({ known: true, value: words, unit: suffix })
  })

  test.each([null, Number.NaN, Number.POSITIVE_INFINITY])('%s is not measured, and never 0', (value) => {
    expect(figureInWords({ value, unit: 'USD' })).toEqual({ known: false, value: 'Not measured', unit: '' })
  })

  test('says between which ends it lies, where that is known', () => {
    expect(intervalWords({ unit: 'USD', interval: { low: 256.45, high: 800.37 } })).toBe('$256 to $800')
    expect(intervalWords({ unit: 'GPU-h', interval: { low: 128.2, high: 400.2 } })).toMatch(/^128.* to 400.* GPU-h$/u)
    expect(intervalWords({ unit: 'USD' })).toBeUndefined()
  })
})
