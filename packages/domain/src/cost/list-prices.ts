import { instant, type Instant, type UsdPerGpuHour, usdPerGpuHour } from '../units.ts'
import { AWS_ROWS, AZURE_ROWS, GCP_ROWS } from './machine-price-rows.ts'

/** A list of prices that anyone may copy. A default to edit, never truth: whoever shows a price shows its list. */
export type PriceList = {
  /** As people call the seller. */
  readonly seller: string
  /** The region that prices without one are compared in, and those looked at where it does not sell a machine. */
  readonly regions: readonly string[]
  /** Where the list is from, and under which license. */
  readonly origin: string
  /** The day on which the list was made. */
  readonly asOf: Instant
}

/** What one machine costs in one region. */
export type ListPrice = {
  readonly list: PriceList
  /** Catalog name of the GPU model. */
  readonly model: string
  /** `node.kubernetes.io/instance-type` of the machine. */
  readonly machine: string
  readonly region: string
  /** How much of a GPU, or how many, the machine has: 0.125 to 16. */
  readonly gpus: number
  /** Of the machine, CPU and memory included, over the GPUs that its node offers: at least one. */
  readonly onDemand: UsdPerGpuHour
  /** Undefined where the list has none. */
  readonly spot: UsdPerGpuHour | undefined
}

const AWS: PriceList = {
  seller: 'AWS',
  regions: ['us-east-1'],
  origin: 'Karpenter’s price table, Apache-2.0',
  // 2026-07-20, the day on which the table was generated.
  asOf: instant(1_784_505_600_000),
}
const AZURE: PriceList = {
  seller: 'Azure',
  regions: ['eastus', 'eastus2', 'westus', 'westus3', 'southcentralus'],
  origin: 'Karpenter’s price table, Apache-2.0',
  // 2026-06-18, the day on which the table was generated.
  asOf: instant(1_781_740_800_000),
}
const GCP: PriceList = {
  seller: 'Google Cloud',
  regions: ['us-central1'],
  origin: 'Karpenter’s price table for GKE, Apache-2.0',
  // 2026-08-03, the day of the table.
  asOf: instant(1_785_715_200_000),
}

/** The order in which a model is looked for where nothing says in which cloud it is. */
export const PRICE_LISTS: readonly PriceList[] = [AWS, AZURE, GCP]

/** Every list price that is shipped. */
export const LIST_PRICES: readonly ListPrice[] = [
  ...pricesIn(AWS_ROWS, AWS),
  ...pricesIn(AZURE_ROWS, AZURE),
  ...pricesIn(GCP_ROWS, GCP),
]

/** Reads lines like `T4, 4, g4dn.12xlarge: us-east-1 3.912, …`. */
function pricesIn(rows: string, list: PriceList): readonly ListPrice[] {
  return rows
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, model = '', count, machine = '', prices = ''] = /^(.+), (.+), (.+): (.+)$/u.exec(line) ?? []
      const gpus = Number(count)
      return prices.split(', ').map((price): ListPrice => {
        const [region = '', amounts = ''] = price.split(' ')
        const [onDemand = Number.NaN, spot] = amounts.split('/').map((amount) => perGpu(Number(amount), gpus))
        return {
          list,
          model,
          machine,
          region,
          gpus,
          onDemand: usdPerGpuHour(onDemand),
          spot: spot === undefined ? undefined : usdPerGpuHour(spot),
        }
      })
    })
}

/** To a millionth of a dollar: the lists say no more. A node with a part of a GPU offers it as one. */
function perGpu(machine: number, gpus: number): number {
  return Math.round((machine / Math.max(1, gpus)) * 1e6) / 1e6
}
