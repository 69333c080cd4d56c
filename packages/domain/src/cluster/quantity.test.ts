import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readQuantity } from './quantity.ts'

const close = (text: string, value: number): boolean => Math.abs((readQuantity(text) ?? -1) / value - 1) < 1e-12

test('every form of a quantity is read', () => {
  const forms = {
    '64': 64,
    '1500m': 1.5,
    '0.1': 0.1,
    '.5': 0.5,
    '5.': 5,
    '+2': 2,
    '2e3': 2000,
    '1E3': 1000,
    '15E-1': 1.5,
    '1E': 1e18,
    '100n': 1e-7,
    '250u': 0.00025,
    '1k': 1000,
    '2M': 2e6,
    '1G': 1e9,
    '3T': 3e12,
    '1Ki': 1024,
    '512Mi': 512 * 1024 ** 2,
    '1.5Gi': 1.5 * 1024 ** 3,
    '2Ti': 2 * 1024 ** 4,
  }
  expect(Object.entries(forms).filter(([text, value]) => !close(text, value))).toEqual([])
  expect(readQuantity(8)).toBe(8)
})

test('what is not a quantity is not taken for 0', () => {
  const odd = [
    '',
    ' ',
    'm',
    'Ki',
    '-1',
    '1Kb',
    '1 Gi',
    '1KI',
    '0x10',
    'NaN',
    '1e',
    '1e999',
    undefined,
    null,
    {},
    Number.NaN,
  ]
  expect(odd.filter((each) => readQuantity(each) !== undefined)).toEqual([])
})

test('a whole number survives every suffix that makes it larger', () => {
  const suffixes = fc.constantFrom(['', 1], ['k', 1e3], ['M', 1e6], ['Ki', 1024], ['Mi', 1024 ** 2], ['Gi', 1024 ** 3])
  fc.assert(
    fc.property(fc.nat({ max: 100_000 }), suffixes, (count, [suffix, factor]) => {
      expect(readQuantity(`${count}${suffix}`)).toBe(count * factor)
    }),
  )
})
