import { compareText, instant, usdPerGpuHour } from '../units.ts'
import { LIST_PRICES, type ListPrice, PRICE_LISTS } from './list-prices.ts'
import type { PriceBook, PriceEntry } from './price.ts'

/** GPUs for training from the oldest to the newest. One that costs less than one before it in its own cloud is worth a word. */
const LADDER = [
  ['P100-PCIE-16GB'],
  ['V100-SXM2-16GB', 'V100-PCIE-16GB'],
  ['V100-SXM2-32GB'],
  ['A100-SXM4-40GB'],
  ['A100-SXM4-80GB', 'A100-80GB-PCIe'],
  ['H100-80GB-HBM3', 'H100-NVL'],
  ['H200'],
  ['B200'],
  ['B300-SXM6-AC'],
]
const MACHINE = { cluster: undefined, pool: undefined, model: undefined, origin: 'shipped' } as const
const EVERYWHERE = { ...MACHINE, capacity: 'on-demand' } as const

// 2026-08-22, the day on which the autoscaler's list was read.
const AUTOSCALER_LIST_READ = instant(1_787_356_800_000)

/** Models that are sold beside a machine only. */
const ALONE: readonly PriceEntry[] = (
  [
    ['P4', 0.6],
    ['P100-PCIE-16GB', 1.46],
  ] as const
).map(([model, price]) => ({
  ...EVERYWHERE,
  id: `shipped/${model}`,
  model,
  price: usdPerGpuHour(price),
  source: 'Google Cloud us-central1, on demand, GPU only, the machine comes on top (cluster-autoscaler, Apache-2.0)',
  asOf: AUTOSCALER_LIST_READ,
}))

type Estimate = {
  readonly model: string
  readonly like: string
  readonly share: number
  readonly words: string
}

/** Models that no list of ours sells, by the nearest that one does. */
const ESTIMATES: readonly Estimate[] = [
  // NVIDIA's data sheets: 56 of 108 multiprocessors, 933 of 1,555 GB/s, 24 of 40 GB.
  { model: 'A30', like: 'A100-SXM4-40GB', share: 0.5, words: 'half of A100-SXM4-40GB, as it has half of its chip' },
  { model: 'A100-PCIE-40GB', like: 'A100-SXM4-40GB', share: 1, words: 'as A100-SXM4-40GB, the same chip' },
  { model: 'H100-PCIe', like: 'H100-NVL', share: 1, words: 'as H100-NVL, the PCIe card that is still sold' },
  { model: 'RTX-6000-Ada-Generation', like: 'L40S', share: 1, words: 'as L40S, the same chip and memory' },
  { model: 'RTX-A6000', like: 'A10G', share: 1, words: 'as A10G, the same chip with half of the memory' },
]

/**
 * The prices that a new installation starts with: of each machine in each region of the lists, and one for each model, for
 * nodes that no list knows. Of these all that AWS sells are of AWS in one region, so that they can be compared with each
 * other; a model that it does not sell has the price of the next list that does, which its source says. Of several machines
 * the one with the least host to a GPU is taken. An operator's own price is always better.
 */
export const shippedPrices: PriceBook = shipped()

function shipped(): PriceBook {
  const listed = [...new Set(LIST_PRICES.map(({ model }) => model))].flatMap((model) => cheapestOf(model) ?? [])
  const book = [...listed.map((price) => listedEntry(price, listed)), ...ALONE]
  const machines = [...Map.groupBy(LIST_PRICES, ({ machine }) => machine).values()]
  return [
    ...book,
    ...ESTIMATES.flatMap((estimate) => estimatedEntry(estimate, book) ?? []),
    ...machines.flatMap((prices) => prices.flatMap(regionEntries)),
    ...machines.flatMap((prices) => elsewhereEntry(prices) ?? []),
  ]
}

/** The cheapest machine with whole GPUs of the model, in the first list and region that has one. */
function cheapestOf(model: string): ListPrice | undefined {
  const whole = LIST_PRICES.filter((price) => price.model === model && price.gpus >= 1)
  const places = PRICE_LISTS.flatMap((list) => list.regions.map((region) => ({ list, region })))
  const home = places.find((place) => whole.some((price) => isIn(price, place))) ?? whole[0]
  return home === undefined
    ? undefined
    : whole
        .filter((price) => isIn(price, home))
        .toSorted((a, b) => a.onDemand - b.onDemand || compareText(a.machine, b.machine))[0]
}

/** What the machine costs in its region, on demand and, where the list says so, spot. */
function regionEntries(price: ListPrice): readonly PriceEntry[] {
  const { list, machine, region, onDemand, spot } = price
  const of = { ...MACHINE, instanceType: machine, region, asOf: list.asOf }
  const listed = { ...of, id: `shipped/${machine}/${region}`, capacity: 'on-demand', price: onDemand } as const
  return [
    { ...listed, source: sourceOf(price, 'on demand') },
    ...(spot === undefined
      ? []
      : [{ ...of, id: `${listed.id}/spot`, capacity: 'spot', price: spot, source: sourceOf(price, 'spot') } as const]),
  ]
}

/** What it costs in a region that the list does not have. */
function elsewhereEntry(prices: readonly ListPrice[]): PriceEntry | undefined {
  const [first] = prices
  const price = first?.list.regions.flatMap((home) => prices.find(({ region }) => region === home) ?? [])[0] ?? first
  return price === undefined
    ? undefined
    : {
        ...MACHINE,
        id: `shipped/${price.machine}`,
        instanceType: price.machine,
        capacity: 'on-demand',
        price: price.onDemand,
        source: `${sourceOf(price, 'on demand')}; no list has the price of the node’s region`,
        asOf: price.list.asOf,
      }
}

function sourceOf({ list, region, machine }: ListPrice, sold: string): string {
  return `${list.seller} ${region}, ${sold}, ${machine} (${list.origin})`
}

type Place = Pick<ListPrice, 'list' | 'region'>
function isIn(price: ListPrice, { list, region }: Place): boolean {
  return price.list === list && price.region === region
}

function listedEntry(price: ListPrice, all: readonly ListPrice[]): PriceEntry {
  const { list, model, onDemand } = price
  const newer = all
    .filter((other) => isIn(other, price) && rungOf(other.model) > rungOf(model) && other.onDemand < onDemand)
    .toSorted((a, b) => a.onDemand - b.onDemand)[0]
  const inverted = newer === undefined ? '' : `; ${list.seller} asks less for the newer ${newer.model} there`
  return {
    ...EVERYWHERE,
    id: `shipped/${model}`,
    model,
    price: onDemand,
    source: `${sourceOf(price, 'on demand')}${inverted}`,
    asOf: list.asOf,
  }
}

/** Of others too low to be compared from, and too low to be compared with. */
function rungOf(model: string): number {
  const rung = LADDER.findIndex((models) => models.includes(model))
  return rung === -1 ? Number.NaN : rung
}

function estimatedEntry({ model, like, share, words }: Estimate, book: PriceBook): PriceEntry | undefined {
  const known = book.find((entry) => entry.model === like)
  return known === undefined
    ? undefined
    : {
        ...EVERYWHERE,
        id: `shipped/${model}`,
        model,
        price: usdPerGpuHour(known.price * share),
        source: `${words}; ${known.source}`,
        asOf: known.asOf,
        estimate: true,
      }
}
