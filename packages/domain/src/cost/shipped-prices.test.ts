import { describe, expect, test } from 'vitest'

import { dayNumber } from '../analyze/civil-date.ts'
import { findModel } from '../gpu/catalog.ts'
import { priceFor } from './price-book.ts'
import { shippedPrices } from './shipped-prices.ts'

const shipped = (model: string) => priceFor(shippedPrices, { cluster: 'c', pool: '', model })
const dollars = (model: string): number => {
  const price = shipped(model)
  if (price.kind === 'unknown') throw new Error(price.because)
  return price.price
}
const sourceOf = (model: string): string => {
  const price = shipped(model)
  return price.kind === 'known' ? price.source : price.because
}

describe('the shipped price of a model', () => {
  test('is compared within one cloud and region: an A100 costs less than an H100', () => {
    const ladder = ['A100-SXM4-40GB', 'A100-SXM4-80GB', 'H100-80GB-HBM3', 'H200', 'B200', 'B300-SXM6-AC'].map(dollars)
    expect(ladder).toEqual(ladder.toSorted((a, b) => a - b))
    expect(dollars('A100-80GB-PCIe')).toBeLessThan(dollars('H100-NVL'))
    expect(new Set(['A100-SXM4-80GB', 'H100-80GB-HBM3'].map((model) => sourceOf(model).split(',')[0]))).toEqual(
      new Set(['AWS us-east-1']),
    )
  })

  test('of a V100 with 16 GB is not a twentieth of that with 32 GB, as both are from one cloud and region', () => {
    expect(dollars('V100-SXM2-32GB') / dollars('V100-SXM2-16GB')).toBeCloseTo(3.9015 / 3.06, 4)
  })

  test('stays where the seller itself asks more for the older GPU, and says so', () => {
    expect(dollars('V100-SXM2-16GB')).toBeGreaterThan(dollars('A100-SXM4-40GB'))
    expect(sourceOf('V100-SXM2-16GB')).toContain('asks less for the newer A100-SXM4-40GB')
    expect(sourceOf('H100-80GB-HBM3')).not.toContain('asks less')
  })

  test('of an A30, which no list of the book sells, is an estimate and marked as one', () => {
    expect(shipped('A30')).toMatchObject({ kind: 'known', estimate: true })
    expect(sourceOf('A30')).toMatch(/^half of A100-SXM4-40GB/u)
    expect(dollars('A30')).toBeCloseTo(dollars('A100-SXM4-40GB') / 2, 6)
    expect(shipped('T4')).not.toMatchObject({ estimate: true })
  })

  test('carries seller, region, machine, date and license of its list', () => {
    expect(shipped('T4')).toMatchObject({
      price: 0.526,
      source: 'AWS us-east-1, on demand, g4dn.xlarge (Karpenter’s price table, Apache-2.0)',
      asOf: dayNumber({ year: 2026, month: 7, day: 20 }) * 86_400_000,
    })
  })

  test('is of a model of the catalog', () => {
    expect(shippedPrices.filter(({ model }) => model !== undefined && findModel(model)?.name !== model)).toEqual([])
  })
})
