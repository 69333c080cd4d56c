import { describe, expect, test } from 'vitest'

import { instant, usdPerGpuHour } from '../units.ts'
import { priceFor } from './price-book.ts'
import type { PriceEntry } from './price.ts'

const entry = (price: number, more: Partial<PriceEntry> = {}): PriceEntry => ({
  id: `at-${price}`,
  cluster: undefined,
  pool: undefined,
  model: undefined,
  price: usdPerGpuHour(price),
  source: 'set by an operator',
  asOf: instant(0),
  origin: 'operator',
  ...more,
})
const gpu = { cluster: 'c', pool: 'spot', model: 'H200' }
const priceIn = (...book: readonly PriceEntry[]): unknown => {
  const price = priceFor(book, gpu)
  return price.kind === 'known' ? [price.price, price.scope] : price.kind
}

const prepaidIn = (book: readonly PriceEntry[], capacity?: 'reserved' | 'on-demand'): unknown => {
  const price = priceFor(book, { ...gpu, capacity })
  return price.kind === 'known' ? [price.price, price.prepaid === true] : price.kind
}

const ofPart = (...book: readonly PriceEntry[]) => priceFor(book, { ...gpu, model: 'A40-vGPU-12Q' })

describe('the price of a GPU', () => {
  test('of a vGPU is its part of the board, unless an operator set one', () => {
    const board = entry(4, { model: 'A40', origin: 'shipped' })
    expect(ofPart(board)).toMatchObject({ price: 1, estimate: true, source: expect.stringContaining('25% of A40') })
    expect(ofPart(board, entry(0.7, { model: 'A40-vGPU-12Q' }))).toMatchObject({ price: 0.7 })
    expect(ofPart()).toMatchObject({ kind: 'unknown' })
  })
  test('is the narrowest that an operator set', () => {
    const book = [entry(1), entry(2, { cluster: 'c' }), entry(3, { cluster: 'c', pool: 'spot' })]
    expect(priceIn(...book)).toEqual([3, 'pool'])
    expect(priceIn(...book.slice(0, 2))).toEqual([2, 'cluster'])
    expect(priceIn(...book.slice(0, 1))).toEqual([1, 'default'])
  })
  test('is for its model rather than for all models', () => {
    expect(priceIn(entry(1, { cluster: 'c' }), entry(2, { cluster: 'c', model: 'H200' }))).toEqual([2, 'cluster'])
    expect(priceIn(entry(1, { pool: 'spot' }), entry(2, { cluster: 'c', model: 'H200' }))).toEqual([1, 'pool'])
  })
  test('is set by an operator rather than shipped, however wide', () => {
    expect(priceIn(entry(1), entry(2, { origin: 'shipped', model: 'H200' }))).toEqual([1, 'default'])
  })
  test('is the newest of equals, then the first by id', () => {
    expect(priceIn(entry(1), entry(2, { asOf: instant(1) }))).toEqual([2, 'default'])
    expect(priceIn(entry(2, { id: 'b' }), entry(1, { id: 'a' }))).toEqual([1, 'default'])
  })
  test('is the one in force since the latest day, in whichever order they are given', () => {
    const days = [entry(1), entry(2, { effectiveFrom: instant(100) }), entry(3, { effectiveFrom: instant(200) })]
    for (const book of [days, days.toReversed()]) {
      expect([50, 100, 150, 250].map((when) => priceFor(book, { ...gpu, at: instant(when) }))).toMatchObject(
        [1, 2, 2, 3].map((price) => ({ price })),
      )
    }
  })
  test('is a commitment’s where a label says reserved, or an operator says so of the pool: and then it is prepaid', () => {
    const committed = entry(2, { capacity: 'reserved', model: 'H200' })
    const ofPool = entry(3, { capacity: 'reserved', pool: 'spot' })
    expect(prepaidIn([entry(1), committed], 'reserved')).toEqual([2, true])
    expect(prepaidIn([entry(1)], 'reserved')).toEqual([1, true])
    expect(prepaidIn([entry(1), committed])).toEqual([1, false])
    expect(prepaidIn([entry(1), ofPool])).toEqual([3, true])
    expect(prepaidIn([entry(1), ofPool], 'on-demand')).toEqual([1, false])
  })
  test('is not that of another cluster, pool or model', () => {
    const others = [entry(1, { cluster: 'd' }), entry(2, { pool: 'other' }), entry(3, { model: 'GH200-480GB' })]
    expect(priceIn(...others)).toBe('unknown')
  })
  test('is unknown in words that say what to do', () => {
    expect(priceFor([], gpu)).toEqual({
      kind: 'unknown',
      because:
        'No price is known for H200 in pool spot. Its GPU-hours are shown without money until one is set in Settings → Prices.',
    })
  })
})
