import { describe, expect, test } from 'vitest'

import { DRAWN_AT, draw } from '../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import { offerOf } from '../cluster/node-offer.ts'
import { DAY_MS, instant, usdPerGpuHour } from '../units.ts'
import { ownedPrice } from './owned-price.ts'
import type { PriceEntry } from './price.ts'
import { pricesOf, pricingOf } from './prices-of.ts'
import { shippedPrices } from './shipped-prices.ts'

const entry = (price: number, more: Partial<PriceEntry> = {}): PriceEntry => ({
  id: `at-${price}`,
  cluster: undefined,
  pool: undefined,
  model: undefined,
  price: usdPerGpuHour(price),
  source: `list ${price}`,
  asOf: instant(0),
  origin: 'operator',
  ...more,
})

type Labels = Readonly<Record<string, string>>
const labelled = (snapshot: ClusterSnapshot, labels: Readonly<Record<string, Labels>>): ClusterSnapshot => ({
  ...snapshot,
  nodes: snapshot.nodes.map((node) => ({ ...node, room: { ...node.room, labels: labels[node.name] ?? {} } })),
})
const machine = (type: string, region: string, more: Labels = {}): Labels => ({
  'node.kubernetes.io/instance-type': type,
  'topology.kubernetes.io/region': region,
  ...more,
})

const H100 = 'H100-80GB-HBM3'
const cluster = labelled(
  draw`
  a@train  H100-80GB-HBM3  [-]
  b@train  H100-80GB-HBM3  [-]
  b@train  H100-80GB-HBM3  [-]
  b@train  H100-80GB-HBM3  [-]
  c@cellar H100-80GB-HBM3  [-]
  d@old    H100-80GB-HBM3  [-]`,
  {
    a: machine('p5.4xlarge', 'us-east-1', { 'karpenter.sh/capacity-type': 'on-demand' }),
    b: machine('p5.48xlarge', 'us-east-1', { 'karpenter.sh/capacity-type': 'spot' }),
    d: machine('a3-highgpu-8g', 'us-central1', { 'cloud.google.com/gke-spot': 'true' }),
  },
)
const priced = (book: readonly PriceEntry[], node: string, at?: number) => {
  const pool = cluster.nodes.find(({ name }) => name === node)?.pool ?? 'train'
  const price = pricesOf(book, pricingOf(cluster))({ pool, model: H100, node, at })
  return price.kind === 'known' ? { price: price.price, source: price.source } : price.kind
}
const ofPool = (book: readonly PriceEntry[]) => pricesOf(book, pricingOf(cluster))({ pool: 'train', model: H100 })

describe('the price of a GPU', () => {
  test('is that of its instance type, region and capacity type, the most specific first', () => {
    const book = [
      entry(1),
      entry(2, { capacity: 'spot' }),
      entry(3, { region: 'us-east-1', capacity: 'spot' }),
      entry(4, { instanceType: 'p5.48xlarge' }),
      entry(5, { instanceType: 'p5.48xlarge', region: 'us-east-1' }),
      entry(6, { instanceType: 'P5.48xlarge', region: 'us-east-1', capacity: 'spot' }),
      entry(7, { instanceType: 'p5.48xlarge', region: 'eu-west-1', capacity: 'spot' }),
    ]
    const narrowest = book.slice(0, 6).map((_, index) => priced(book.slice(0, index + 1), 'b'))
    expect(narrowest).toMatchObject([1, 2, 3, 4, 5, 6].map((price) => ({ price })))
    expect(priced(book, 'b')).toMatchObject({ price: 6 })
    expect(priced(book, 'a')).toMatchObject({ price: 1 })
  })

  test('of a pool whose machines all have the same is that price as it is listed, no mean', () => {
    expect(ofPool([entry(4)])).toMatchObject({ price: 4, source: 'list 4' })
    // One GPU at 4, three at 2.
    expect(ofPool([entry(4), entry(2, { instanceType: 'p5.48xlarge' })])).toMatchObject({
      price: 2.5,
      source: 'mean of: list 2; list 4',
    })
  })

  test('is that of an owned machine where nothing says that it is rented', () => {
    const book = [entry(1), entry(2, { capacity: 'owned' })]
    expect(priced(book, 'c')).toMatchObject({ price: 2 })
    expect(priced(book, 'b')).toMatchObject({ price: 1 })
  })

  test('as shipped is that of its machine in its region, and spot where the list has it', () => {
    expect(priced(shippedPrices, 'a')).toEqual({
      price: 6.88,
      source: 'AWS us-east-1, on demand, p5.4xlarge (Karpenter’s price table, Apache-2.0)',
    })
    const spot = priced(shippedPrices, 'd')
    expect(spot).toMatchObject({ source: expect.stringMatching(/^Google Cloud us-central1, spot, a3-highgpu-8g/u) })
  })

  test('of a spot node without a spot price is at most that on demand, and says so', () => {
    expect(priced(shippedPrices, 'b')).toEqual({
      price: 6.88,
      source: expect.stringContaining('; no spot price is known, so this is the most it can be'),
    })
  })

  test('holds from its day on, until the next one does', () => {
    const book = [
      entry(2, { effectiveFrom: instant(DRAWN_AT - 10 * DAY_MS) }),
      entry(3, { effectiveFrom: instant(DRAWN_AT + DAY_MS) }),
    ]
    expect([-11, -10, 0, 1].map((days) => priced(book, 'a', DRAWN_AT + days * DAY_MS))).toMatchObject([
      'unknown',
      { price: 2 },
      { price: 2 },
      { price: 3 },
    ])
  })

  test('of a node that is gone is the mean of its pool, by number of GPUs', () => {
    const book = [entry(2, { capacity: 'on-demand' }), entry(4, { capacity: 'spot' })]
    expect(priced(book, 'gone')).toEqual({ price: 3.5, source: 'mean of: list 2; list 4' })
  })
})

test.each([
  [{ 'karpenter.sh/capacity-type': 'reserved' }, 'reserved'],
  [{ 'eks.amazonaws.com/capacityType': 'SPOT' }, 'spot'],
  [{ 'eks.amazonaws.com/capacityType': 'CAPACITY_BLOCK' }, 'reserved'],
  [{ 'cloud.google.com/gke-provisioning': 'standard' }, 'on-demand'],
  [{ 'cloud.google.com/gke-preemptible': 'true' }, 'spot'],
  [{ 'kubernetes.azure.com/scalesetpriority': 'spot' }, 'spot'],
  [{ 'karpenter.sh/capacity-type': 'odd' }, undefined],
  [{}, undefined],
])('a node with the labels %j is paid for as %s', (labels, capacity) => {
  expect(offerOf({ room: { cpuMilli: undefined, memory: undefined, taints: [], labels } }).capacity).toBe(capacity)
})

test('an owned GPU-hour is capital, power and hosting over every hour of its life', () => {
  // 8 H100 for 317,000 USD with 15 % for the network, four years, 8.5 kW.
  const price = ownedPrice({
    purchaseUsd: 364_550,
    residualUsd: 0,
    gpus: 8,
    lifeYears: 4,
    powerKw: 8.5,
    pue: 1.5,
    usdPerKwh: 0.1,
    hostingUsdPerMonth: 15_850 / 12,
  })
  expect(price.capital).toBeCloseTo(1.3, 2)
  expect(price.power).toBeCloseTo(0.16, 2)
  expect(price.hosting).toBeCloseTo(0.23, 2)
  expect(price.total).toBeCloseTo(price.capital + price.power + price.hosting, 6)
})
