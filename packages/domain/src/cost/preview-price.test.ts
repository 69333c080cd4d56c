import { expect, test } from 'vitest'

import { instant, seconds, usdPerGpuHour } from '../units.ts'
import { monthAt, previewPrice } from './preview-price.ts'
import type { PriceEntry } from './price.ts'

const entry = (id: string, price: number, more: Partial<PriceEntry> = {}): PriceEntry => ({
  id,
  cluster: undefined,
  pool: undefined,
  model: undefined,
  price: usdPerGpuHour(price),
  source: 'a contract',
  asOf: instant(0),
  origin: 'operator',
  ...more,
})
const uses = [
  { model: 'H100-80GB-HBM3', pool: 'a', gpuHours: 10 },
  { model: 'T4', pool: 'b', gpuHours: 20 },
]
const book = [entry('h100', 2, { model: 'H100-80GB-HBM3', origin: 'shipped' })]
const amounts = (draft: PriceEntry | undefined, id = draft?.id ?? '') =>
  previewPrice({ uses, book, cluster: 'c', draft, id, at: instant(0) }).map(({ before, after }) =>
    [before, after].map((price) => (price.kind === 'known' ? price.price : undefined)),
  )

test('a new price shows which GPUs it prices', () => {
  expect(amounts(entry('own', 3, { pool: 'b' }))).toEqual([
    [2, 2],
    [undefined, 3],
  ])
  expect(amounts(entry('own', 3, { cluster: 'other' }))).toEqual([
    [2, 2],
    [undefined, undefined],
  ])
  expect(amounts(undefined, 'h100')).toEqual([
    [2, undefined],
    [undefined, undefined],
  ])
})

test('a month is made from the hours that were seen, and is not made from minutes', () => {
  const previews = previewPrice({
    uses,
    book,
    cluster: 'c',
    draft: entry('own', 3, { pool: 'b' }),
    id: 'own',
    at: instant(0),
  })
  expect(monthAt(previews, 'before', seconds(36_000))).toBe(1460)
  expect(monthAt(previews, 'after', seconds(36_000))).toBe(5840)
  expect(monthAt(previews, 'after', seconds(60))).toBeUndefined()
})
