import { array, assert, double, property } from 'fast-check'
import { expect, test } from 'vitest'

import { recordOf } from '../analyze/field-values.ts'
import { instant } from '../units.ts'
import { COST_PARTS } from './cost-parts.ts'
import { correctedSums, totalOf, withCorrection, type LedgerSums, type SealedMonth } from './sealed-month.ts'

const sumsOf = (amounts: readonly number[]): LedgerSums =>
  recordOf(COST_PARTS, (part) => {
    const amount = amounts[COST_PARTS.indexOf(part)] ?? 0
    return { gpuHours: amount, usd: amount * 2.5 }
  })
const sealed = (amounts: readonly number[]): SealedMonth => ({
  month: '2026-10',
  sealedAt: instant(0),
  sums: sumsOf(amounts),
  digest: 'a',
  corrections: [],
})
const amounts = array(double({ min: 0, max: 1e6, noNaN: true }), { minLength: 8, maxLength: 8 })

test('what is learned later is a correction with its reason, and the sealed sums stay', () => {
  const month = sealed([10, 2])
  const found = { sums: sumsOf([10, 3]), digest: 'b', at: instant(5), reason: 'A gap was read again.' }
  const corrected = withCorrection(month, found)
  expect(corrected.sums).toEqual(month.sums)
  expect(corrected.digest).toBe('b')
  expect(corrected.corrections).toMatchObject([
    { at: 5, reason: 'A gap was read again.', change: { used: { gpuHours: 0 }, idleHeld: { gpuHours: 1, usd: 2.5 } } },
  ])
  expect(withCorrection(corrected, { ...found, at: instant(6) })).toBe(corrected)
})

test('another line is a correction too where the sums stay as they are', () => {
  const month = sealed([10])
  const corrected = withCorrection(month, { sums: month.sums, digest: 'b', at: instant(1), reason: 'moved' })
  expect(corrected.corrections).toHaveLength(1)
  expect(totalOf(corrected.corrections[0]?.change ?? month.sums)).toEqual({ gpuHours: 0, usd: 0 })
})

test('after any number of corrections the sealed sums and they are what the lines come to', () => {
  assert(
    property(amounts, array(amounts, { maxLength: 6 }), (first, later) => {
      const last = later.reduce(
        (month, now, order) =>
          withCorrection(month, { sums: sumsOf(now), digest: String(order), at: instant(order), reason: 'test' }),
        sealed(first),
      )
      const now = sumsOf(later.at(-1) ?? first)
      for (const part of COST_PARTS) {
        expect(correctedSums(last)[part].gpuHours).toBeCloseTo(now[part].gpuHours, 4)
        expect(correctedSums(last)[part].usd).toBeCloseTo(now[part].usd, 4)
      }
    }),
  )
})
