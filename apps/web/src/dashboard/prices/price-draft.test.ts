import { ownedPrice } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { entryIn, entryOf, orderOf, priceDraftOf, priceIn, type Draft } from './price-draft.ts'
import { machineOf, pricePlace, scopeWords, type ShownPrice } from './price-words.ts'

const LISTED: ShownPrice = {
  id: 'h100-spot',
  cluster: null,
  pool: 'a',
  model: 'H100-80GB-HBM3',
  instanceType: 'p5.48xlarge',
  region: 'us-east-1',
  capacity: 'spot',
  effectiveFrom: '2026-10-01T00:00:00.000Z',
  usdPerGpuHour: 2.5,
  source: 'AWS spot',
  asOf: '2026-10-02T00:00:00.000Z',
  origin: 'operator',
  estimate: false,
  owned: null,
}
const HARDWARE = {
  purchaseUsd: 280_000,
  residualUsd: 28_000,
  gpus: 8,
  lifeYears: 4,
  powerKw: 8.5,
  pue: 1.5,
  usdPerKwh: 0.1,
  hostingUsdPerMonth: 730,
}
const EMPTY = priceDraftOf(undefined)
const owned = (change: Partial<Draft['owned']>): Draft => ({
  ...EMPTY,
  way: 'owned',
  owned: { ...EMPTY.owned, ...change },
})

describe('a price to be changed', () => {
  test('is sent as it is in the book where nothing was typed', () =>
    expect(orderOf(priceDraftOf(LISTED))).toEqual({
      id: 'h100-spot',
      cluster: undefined,
      pool: 'a',
      model: 'H100-80GB-HBM3',
      instanceType: 'p5.48xlarge',
      region: 'us-east-1',
      capacity: 'spot',
      effectiveFrom: '2026-10-01',
      usdPerGpuHour: 2.5,
      source: 'AWS spot',
    }))

  test('is reckoned from the hardware where it was, and then no price is sent', () => {
    const draft = priceDraftOf({ ...LISTED, owned: HARDWARE })
    expect(draft.way).toBe('owned')
    expect(orderOf(draft)).toMatchObject({ owned: HARDWARE })
    expect(orderOf(draft)).not.toHaveProperty('usdPerGpuHour')
  })

  test('keeps what was typed of the other way out of the order', () =>
    expect(orderOf({ ...priceDraftOf({ ...LISTED, owned: HARDWARE }), way: 'given' })).not.toHaveProperty('owned'))
})

describe('the price of a draft', () => {
  test.each([undefined, 0, -1])('given as %j is not known', (usdPerGpuHour) =>
    expect(priceIn({ ...EMPTY, usdPerGpuHour })).toBeUndefined(),
  )

  test('is the one that was given', () => expect(priceIn({ ...EMPTY, usdPerGpuHour: 2.5 })).toEqual({ total: 2.5 }))

  test('of a server whose cost is not told is not known, though its power could be reckoned', () => {
    expect(priceIn(owned({}))).toBeUndefined()
    expect(priceIn(owned({ purchaseUsd: 28_000, residualUsd: 28_000 }))).toBeUndefined()
  })

  test('of a server is its capital, power and hosting for one GPU', () => {
    const price = priceIn(owned(HARDWARE))
    expect(price).toEqual(ownedPrice(HARDWARE))
    expect(price).toMatchObject({ hosting: 0.125, power: (8.5 * 1.5 * 0.1) / 8 })
  })
})

describe('an entry as prices are looked up in', () => {
  test('of the book holds from its day on', () =>
    expect(entryOf(LISTED)).toMatchObject({
      pool: 'a',
      cluster: undefined,
      price: 2.5,
      effectiveFrom: Date.parse('2026-10-01T00:00:00Z'),
      origin: 'operator',
    }))

  test('without a day holds always', () =>
    expect(entryOf({ ...LISTED, effectiveFrom: null }).effectiveFrom).toBeUndefined())

  test('of a draft is looked at as if it held already, and before every other of its kind', () => {
    const entry = entryIn({ ...priceDraftOf(LISTED), effectiveFrom: '2030-01-01' }, 3)
    expect(entry).toMatchObject({ price: 3, source: 'this entry', effectiveFrom: undefined, pool: 'a' })
    expect(entry.asOf).toBeGreaterThan(entryOf(LISTED).asOf)
  })
})

describe('what a price is for, in words', () => {
  const any = { ...LISTED, pool: null, model: null, instanceType: null, region: null, capacity: null }
  test.each([
    [LISTED, 'H100-80GB-HBM3, pool a, p5.48xlarge, us-east-1, spot, from 2026-10-01'],
    [{ ...any, effectiveFrom: null }, 'every model'],
    [{ ...any, cluster: 'demo', effectiveFrom: null }, 'every model, cluster demo'],
    // A machine says which model it has.
    [{ ...any, instanceType: 'p5.48xlarge', effectiveFrom: null }, 'p5.48xlarge'],
  ])('%#', (price, words) => expect(scopeWords(price)).toBe(words))

  test('names the machine as far as it is known', () => {
    expect(machineOf({ instanceType: 'g6.xlarge', region: null, capacity: 'on-demand' })).toBe('g6.xlarge, on demand')
    expect(machineOf({ instanceType: '', region: null, capacity: null })).toBe('')
  })

  test('names a pool only where there is one', () => {
    expect(pricePlace({ model: 'H100', pool: 'a' })).toBe('H100 in pool a')
    expect(pricePlace({ model: 'H100', pool: '' })).toBe('H100')
  })
})
