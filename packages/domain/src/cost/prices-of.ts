import { onceFor } from '../once-for.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import type { GpuNode } from '../cluster/node.ts'
import { type NodeOffer, offerOf, offerOfMachine } from '../cluster/node-offer.ts'
import { compareText, instant, type Instant, usdPerGpuHour } from '../units.ts'
import { type Price, priceFor } from './price-book.ts'
import type { PriceBook } from './price.ts'

/** What prices are looked up with. */
export type PricingRules = {
  readonly cluster: string
  /** Nodes whose labels say what is paid for. */
  readonly nodes: readonly Pick<GpuNode, 'name' | 'pool' | 'model' | 'product' | 'room' | 'gpus'>[]
  /** At whose prices, where the question names no time. */
  readonly at: Instant
}

/** A GPU whose price is asked. */
type AskedGpu = {
  readonly pool: string
  readonly model: string
  /** What is paid for, as `machineOf` tells it. */
  readonly machine?: string | undefined
  /** Where that is left out or empty, its node; left out, or gone: the mean of its pool's GPUs of the same model. */
  readonly node?: string | undefined
  /** When, as milliseconds. */
  readonly at?: number | undefined
}

/** How prices of the moment of a snapshot are looked up. */
export const pricingOf = ({ cluster, nodes, takenAt }: ClusterSnapshot): PricingRules => ({
  cluster,
  nodes,
  at: takenAt,
})

export type PriceOf = (gpu: AskedGpu) => Price

/** `priceFor` of one cluster with what its nodes say of their machines; each kind of machine is looked up once. */
export function pricesOf(book: PriceBook, { cluster, nodes, at }: PricingRules): PriceOf {
  const { offers, pools } = offersOf(nodes)
  const changes = priceChanges(book)
  const found = new Map<string, Price>()
  const ofMachines = new Map<string, Price>()
  const lookUp = (gpu: Asked, offer: NodeOffer | undefined, period: number): Price => {
    if (offer === undefined) return meanOf(pools.get(poolKey(gpu.pool, gpu.model)), book, gpu)
    const key = [period, gpu.pool, gpu.model, nameOf(offer)].join(APART)
    const price = ofMachines.get(key) ?? priceFor(book, { ...gpu, ...offer })
    ofMachines.set(key, price)
    return price
  }
  return ({ pool, model, machine = '', node = '', at: asked = at }) => {
    const period = changes.length === 0 ? 0 : changes.filter((change) => change <= asked).length
    // Asked for every total of an analysis, of which a large fleet has a hundred thousand.
    const key = [period, pool, model, machine, node].join(APART)
    const offer = machine === '' ? offers.get(node) : offerOfMachine(machine)
    const price = found.get(key) ?? lookUp({ cluster, pool, model, at: instant(asked) }, offer, period)
    found.set(key, price)
    return price
  }
}

type Asked = { readonly cluster: string; readonly pool: string; readonly model: string; readonly at: Instant }

const APART = '\u0000'
const nameOf = ({ instanceType, region, capacity }: NodeOffer): string =>
  [instanceType, region, capacity ?? ''].join(APART)

/** When prices change, oldest first. */
export const priceChanges = (book: PriceBook): readonly Instant[] =>
  [...new Set(book.flatMap(({ effectiveFrom }) => effectiveFrom ?? []))].toSorted((a, b) => a - b)

type PoolOffers = ReadonlyMap<string, { readonly offer: NodeOffer; readonly gpus: number }>

const poolKey = (pool: string, model: string): string => pool + APART + model

/** What each node and each pool is paid by, which every question of money asks of the same nodes. */
const offersOf = onceFor((nodes: PricingRules['nodes']) => {
  const offers = new Map<string, NodeOffer>()
  const pools = new Map<string, Map<string, { readonly offer: NodeOffer; readonly gpus: number }>>()
  for (const node of nodes) {
    const offer = offerOf(node)
    offers.set(node.name, offer)
    const key = poolKey(node.pool, node.model ?? node.product)
    const own = pools.get(key) ?? new Map<string, { readonly offer: NodeOffer; readonly gpus: number }>()
    pools.set(key, own)
    const name = nameOf(offer)
    own.set(name, { offer, gpus: (own.get(name)?.gpus ?? 0) + node.gpus.length })
  }
  return { offers, pools }
})

/** The price that all machines of a pool have, else their mean by number of GPUs; unknown where no machine has one. */
function meanOf(offers: PoolOffers | undefined, book: PriceBook, gpu: Asked): Price {
  const prices = [...(offers?.values() ?? [])].map(({ offer, gpus }) => ({
    gpus: Math.max(1, gpus),
    price: priceFor(book, { ...gpu, ...offer }),
  }))
  const known = prices.flatMap(({ gpus, price }) => (price.kind === 'known' ? [{ gpus, price }] : []))
  const [first] = known
  if (first === undefined) return prices[0]?.price ?? priceFor(book, gpu)
  if (known.every(({ price }) => price.price === first.price.price && price.source === first.price.source)) {
    return first.price
  }
  const gpus = known.reduce((sum, each) => sum + each.gpus, 0)
  return {
    ...first.price,
    price: usdPerGpuHour(known.reduce((sum, each) => sum + each.gpus * each.price.price, 0) / gpus),
    source: `mean of: ${[...new Set(known.map(({ price }) => price.source))].toSorted(compareText).join('; ')}`,
    asOf: instant(Math.min(...known.map(({ price }) => price.asOf))),
  }
}
