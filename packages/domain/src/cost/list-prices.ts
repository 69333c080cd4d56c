import { instant, usdPerGpuHour, type Instant, type UsdPerGpuHour } from '../units.ts'

/**
 * A published on-demand price of one model at one seller. Prices of one model differ up to tenfold between sellers and
 * move weekly, so these are defaults to edit, never truth: whoever shows one shows its source and date.
 */
export type ListPrice = {
  /** Catalog name of the GPU model. */
  readonly model: string
  readonly price: UsdPerGpuHour
  readonly source: ListPriceSource
  /** The machine that is sold: its price over its GPUs. */
  readonly note: string | undefined
}

export type ListPriceSource = {
  /** Seller and region, as shown beside a price. */
  readonly name: string
  /** Date of the list; undefined where the list has none. */
  readonly asOf: Instant | undefined
  /** `machine`: CPU and memory are included. `gpu-only`: the machine is charged besides. */
  readonly covers: 'machine' | 'gpu-only'
  readonly caveat: string | undefined
}

/** Every list price of a model, by catalog name, in the order of the list; empty when none is known. */
export const listPricesOf = (model: string): readonly ListPrice[] =>
  LIST_PRICES.filter((entry) => entry.model === model)

const machine = { covers: 'machine', asOf: undefined, caveat: undefined } as const
const OLD = 'a list that Google keeps for autoscaling; some entries are old'

/** Where list prices come from, by the code that a row has. */
export const LIST_PRICE_SOURCES = {
  // 2026-07-20, the day on which Karpenter's table was generated.
  aws: { ...machine, name: 'AWS us-east-1, on demand', asOf: instant(1_784_505_600_000) },
  // 2026-06-18, the day on which Karpenter's table was generated.
  azure: {
    ...machine,
    name: 'Azure eastus, on demand',
    asOf: instant(1_781_740_800_000),
    caveat: 'eastus2 where eastus does not sell the size; GPUs per machine taken from the name of the size',
  },
  // 2026-08-22, the day on which the autoscaler's list was read.
  gcp: { ...machine, name: 'Google Cloud us-central1, on demand', asOf: instant(1_787_356_800_000), caveat: OLD },
  'gcp-add-on': {
    name: 'Google Cloud us-central1, on demand, GPU only',
    asOf: instant(1_787_356_800_000),
    covers: 'gpu-only',
    caveat: OLD,
  },
  lambda: { ...machine, name: 'Lambda, on demand' },
  nebius: { ...machine, name: 'Nebius, on demand' },
  verda: { ...machine, name: 'Verda, on demand' },
  seeweb: { ...machine, name: 'Seeweb, on demand', caveat: 'the list does not state its currency' },
  runpod: { ...machine, name: 'RunPod secure cloud, on demand' },
  hyperbolic: { ...machine, name: 'Hyperbolic, on demand' },
} as const satisfies Record<string, ListPriceSource>

type Row = readonly [model: string, source: keyof typeof LIST_PRICE_SOURCES, usdPerGpuHour: number, note?: string]

const ROWS: readonly Row[] = [
  ['K80', 'gcp-add-on', 0.45],
  ['M60', 'azure', 1.14, 'NV12s_v3'],
  ['P4', 'gcp-add-on', 0.6],
  ['P100-PCIE-16GB', 'gcp-add-on', 1.46],
  ['V100-PCIE-16GB', 'azure', 3.06, 'NC6s_v3'],
  ['V100-PCIE-16GB', 'gcp-add-on', 2.48],
  ['V100-SXM2-16GB', 'verda', 0.14],
  ['V100-SXM2-16GB', 'lambda', 0.79],
  ['V100-SXM2-32GB', 'aws', 3.9, 'p3dn'],
  ['V100-SXM2-32GB', 'azure', 2.75, 'ND40rs_v2'],
  ['T4', 'aws', 0.53, 'g4dn.xlarge'],
  ['T4', 'azure', 0.53],
  ['T4', 'gcp-add-on', 0.35],
  ['T4G', 'aws', 0.42, 'g5g.xlarge'],
  ['A10', 'lambda', 1.29],
  ['A10', 'azure', 3.2, 'NV36ads_A10_v5'],
  ['A10G', 'aws', 1.01, 'g5.xlarge'],
  ['A30', 'seeweb', 0.29],
  ['A100-PCIE-40GB', 'lambda', 1.99],
  ['A100-SXM4-40GB', 'aws', 2.74, 'p4d'],
  ['A100-SXM4-40GB', 'gcp', 3.67, 'a2-highgpu-1g'],
  ['A100-SXM4-40GB', 'azure', 3.4, 'ND96asr_v4'],
  ['A100-SXM4-40GB', 'lambda', 1.99],
  ['A100-80GB-PCIe', 'azure', 3.67, 'NC24ads_A100_v4'],
  ['A100-80GB-PCIe', 'runpod', 1.39],
  ['A100-80GB-PCIe', 'seeweb', 0.99],
  ['A100-SXM4-80GB', 'aws', 3.43, 'p4de'],
  ['A100-SXM4-80GB', 'gcp', 5.07, 'a2-ultragpu-1g'],
  ['A100-SXM4-80GB', 'azure', 4.1, 'ND96amsr'],
  ['A100-SXM4-80GB', 'lambda', 2.79],
  ['A100-SXM4-80GB', 'verda', 1.29],
  ['H100-PCIe', 'lambda', 3.29],
  ['H100-80GB-HBM3', 'aws', 6.88, 'p5'],
  ['H100-80GB-HBM3', 'azure', 12.29, 'ND96isr_H100_v5'],
  ['H100-80GB-HBM3', 'nebius', 2.95],
  ['H100-80GB-HBM3', 'verda', 2.29],
  ['H100-80GB-HBM3', 'seeweb', 1.89],
  ['H100-80GB-HBM3', 'hyperbolic', 1.29],
  ['H100-NVL', 'azure', 6.98, 'NC40ads_H100_v5'],
  ['H200', 'aws', 7.91, 'p5en'],
  ['H200', 'azure', 10.6, 'ND96isr_H200_v5'],
  ['H200', 'nebius', 3.5],
  ['H200', 'verda', 3.39],
  ['H200', 'seeweb', 2.6],
  ['L4', 'aws', 0.8, 'g6.xlarge'],
  ['L4', 'gcp', 0.76, 'g2-standard-4'],
  ['L4', 'seeweb', 0.38],
  ['L40S', 'aws', 1.86, 'g6e.xlarge'],
  ['L40S', 'nebius', 1.55],
  ['L40S', 'seeweb', 0.85],
  ['B200', 'aws', 14.24, 'p6-b200'],
  ['B200', 'nebius', 5.5],
  ['B200', 'verda', 4.89],
  ['GB200', 'azure', 27.04, 'ND128isr_NDR_GB200_v6, 4 GPUs'],
  ['B300-SXM6-AC', 'aws', 17.8, 'p6-b300'],
  ['B300-SXM6-AC', 'verda', 6.99],
  ['RTX-PRO-6000-Blackwell-Server-Edition', 'aws', 3.36, 'g7e.2xlarge'],
  ['RTX-PRO-6000-Blackwell-Server-Edition', 'verda', 1.69],
  ['RTX-PRO-6000-Blackwell-Server-Edition', 'seeweb', 1.25],
  ['RTX-PRO-4500-Blackwell', 'aws', 2.52, 'g7.2xlarge'],
  ['RTX-6000-Ada-Generation', 'verda', 0.83],
  ['RTX-A6000', 'lambda', 1.09],
  ['RTX-A6000', 'seeweb', 0.74],
  ['Quadro-RTX-6000', 'lambda', 0.69],
  ['Quadro-RTX-6000', 'seeweb', 0.29],
  ['Radeon-Instinct-MI25', 'azure', 1.86, 'NV32as_v4, one whole card'],
  ['Instinct-MI300X', 'azure', 6.0, 'ND96isr_MI300X_v5, 8 GPUs'],
  ['Radeon-Pro-V520', 'aws', 0.38, 'g4ad.xlarge'],
  ['Radeon-Pro-V620', 'azure', 2.54, 'NG32ads_V620_v1'],
  ['Radeon-Pro-V710', 'azure', 2.4, 'NV28adms_V710_v5'],
]

/** Every list price we ship, USD for one GPU for one hour. */
export const LIST_PRICES: readonly ListPrice[] = ROWS.map(([model, source, price, note]) => ({
  model,
  price: usdPerGpuHour(price),
  source: LIST_PRICE_SOURCES[source],
  note,
}))
