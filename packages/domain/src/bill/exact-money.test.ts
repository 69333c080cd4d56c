import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { centsThatAddUp, dollarsOf, readNanos } from './exact-money.ts'

describe('an amount of a bill', () => {
  test('is read exactly, whatever its sign and wherever its point is', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
        fc.integer({ min: -12, max: 12 }),
        (nanos, move) => {
          const sign = nanos < 0n ? '-' : ''
          const digits = String(nanos < 0n ? -nanos : nanos).padStart(10, '0')
          const plain = `${sign}${digits.slice(0, -9)}.${digits.slice(-9)}`
          expect(readNanos(plain)).toBe(nanos)
          expect(readNanos(`${sign}${digits}e${-9}`)).toBe(nanos)
          expect(readNanos(` ${plain}${'0'.repeat(12)}E${move}`)).toBe(readNanos(`${plain}e${move}`))
        },
      ),
    )
  })

  test.each([
    ['0.0000000005', 1n],
    ['0.00000000049', 0n],
    ['-0.0000000005', -1n],
    ['+7', 7_000_000_000n],
    ['.5', 500_000_000n],
    ['5.', 5_000_000_000n],
    ['1e-70', 0n],
    ['0', 0n],
  ])('%s is %s billionths', (text, nanos) => expect(readNanos(text)).toBe(nanos))

  test.each(['', ' ', '.', '-', '1,000.00', '$5', '1e', '1e99', '--1', 'NaN', 'Infinity', '0x10'])(
    '"%s" is none',
    (text) => expect(readNanos(text)).toBeUndefined(),
  )

  test('is rounded to the cent alike for a charge and for its credit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), (nanos) => {
        expect(dollarsOf(nanos) + dollarsOf(-nanos)).toBe(0)
      }),
    )
  })
})

test('amounts to the cent add up to their sum, and none is off by a cent', () => {
  const amounts = fc.array(fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n }), { maxLength: 12 })
  fc.assert(
    fc.property(amounts, (nanos) => {
      const rounded = centsThatAddUp(nanos)
      const sum = rounded.reduce((cents, amount) => cents + Math.round(amount * 100), 0)
      expect(sum).toBe(Math.round(dollarsOf(nanos.reduce((a, b) => a + b, 0n)) * 100))
      const off = nanos.map((amount, order) => Math.abs((rounded[order] ?? NaN) - Number(amount) / 1e9))
      expect(Math.max(0, ...off)).toBeLessThan(0.01 + 1e-9)
    }),
  )
})
