import { describe, expect, it } from 'vitest'
import { findModel } from '../gpu/catalog.ts'
import { LIST_PRICES, LIST_PRICE_SOURCES, listPricesOf } from './list-prices.ts'

describe('list prices', () => {
  it('name models of the catalog, by their catalog name', () => {
    for (const { model } of LIST_PRICES) expect(findModel(model)?.name).toBe(model)
    expect(LIST_PRICES).toHaveLength(70)
  })

  it('are one for each model, seller and machine', () => {
    const keys = LIST_PRICES.map(({ model, source, note }) => [model, source.name, note].join('|'))
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('show the spread for one model, each with its seller', () => {
    const h100 = listPricesOf('H100-80GB-HBM3').map(({ price, source }) => `${price} ${source.name}`)
    expect(h100).toContain('6.88 AWS us-east-1, on demand')
    expect(h100).toContain('12.29 Azure eastus, on demand')
    expect(h100).toContain('1.29 Hyperbolic, on demand')
    expect(listPricesOf('GeForce-RTX-4090')).toEqual([])
  })

  it('carry the date of their list', () => {
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'UTC' })
    const dates = [LIST_PRICE_SOURCES.aws, LIST_PRICE_SOURCES.azure, LIST_PRICE_SOURCES.gcp].map(({ asOf }) =>
      day.format(asOf),
    )
    expect(dates).toEqual(['2026-07-20', '2026-06-18', '2026-08-22'])
  })

  it('say when the machine comes on top', () => {
    expect(listPricesOf('P4').map(({ source }) => source.covers)).toEqual(['gpu-only'])
  })
})
