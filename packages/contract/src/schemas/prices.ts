import { z } from 'zod'

import { answered, ClusterInput, InstantText, RangeInput } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { EntryName } from './names.ts'

const Capacity = z.enum(['on-demand', 'spot', 'reserved', 'owned'])
const NodeCapacity = z.enum(['on-demand', 'spot', 'reserved']).nullable()
const dollars = (most: number) => z.number().min(0).max(most)

const OwnedHardware = named('OwnedHardware', {
  purchaseUsd: z
    .number()
    .positive()
    .max(1e9)
    .describe('price of the server with its share of network and storage, USD'),
  residualUsd: dollars(1e9).describe('residual value at the end of its life, USD'),
  gpus: z.number().int().min(1).max(1024).describe('GPUs in the server'),
  lifeYears: z.number().min(0.5).max(30).describe('years of depreciation'),
  powerKw: z
    .number()
    .min(0)
    .max(1000)
    .describe('average power draw of the server, kW; the nameplate gives the maximum'),
  pue: z
    .number()
    .min(1)
    .max(5)
    .describe('power usage effectiveness (PUE): site power over server power; 1.5 is typical'),
  usdPerKwh: dollars(10).describe('USD per kilowatt-hour'),
  hostingUsdPerMonth: dollars(1e7).describe('space, staff, support and everything else, USD per month for the server'),
}).refine(({ purchaseUsd, residualUsd }) => residualUsd < purchaseUsd, {
  message: 'residualUsd must be less than purchaseUsd',
})

const PriceView = named('Price', {
  id: z.string(),
  cluster: z.string().nullable(),
  pool: z.string().nullable(),
  model: z.string().nullable(),
  instanceType: z.string().nullable(),
  region: z.string().nullable(),
  capacity: Capacity.nullable(),
  effectiveFrom: InstantText.nullable().describe('effective from; null: always'),
  usdPerGpuHour: z.number().positive(),
  source: z.string(),
  asOf: InstantText.describe('date of the source'),
  origin: z.enum(['shipped', 'operator']),
  estimate: z.boolean().describe('derived from another model’s price; not a list price'),
  owned: OwnedHardware.nullable().describe('what the price was calculated from'),
})

export const pricesList = operation(ROUTES.pricesList, {
  title: 'Price book',
  description:
    'Every price in force, shipped or set by an operator, with source and date. Operator prices win, then the narrowest match: pool, cluster, instance type, region, capacity, model; among equals the one with the latest effective date.',
  input: z.strictObject({
    machines: z
      .enum(['here', 'all'])
      .default('here')
      .describe('which machines to list shipped prices for: those in clusters the caller may see, or all'),
  }),
  output: named('PriceBook', { prices: z.array(PriceView) }),
})

export const pricesUsed = operation(ROUTES.pricesUsed, {
  title: 'Prices in use',
  description:
    'Which GPUs were ready in a range, by model, pool and machine, with their GPU-hours and the price that applies; null if no price is known.',
  input: z.strictObject({ ...ClusterInput, ...RangeInput }),
  output: named('PricesUsed', {
    ...answered,
    observedSeconds: z.number(),
    uses: z.array(
      z.object({
        model: z.string(),
        pool: z.string(),
        instanceType: z.string().describe('empty if no label says so, or the node is gone'),
        region: z.string().describe('likewise'),
        capacity: NodeCapacity.describe('null if no label says so'),
        gpuHours: z.number(),
        usdPerGpuHour: z.number().nullable(),
        source: z.string().describe('where the price comes from, or why there is none'),
        asOf: InstantText.nullable().describe('date of the source'),
        estimate: z.boolean().describe('derived from another model’s price'),
      }),
    ),
  }),
})

export const pricesPut = operation(ROUTES.pricesPut, {
  title: 'Set a price',
  description:
    'Sets the price of a GPU-hour for a cluster, node pool, machine or model, from a given day on; its source is shown next to every amount. For hardware you own give `owned` instead: the price is calculated from it and stored.',
  input: z.strictObject({
    id: EntryName.describe('ID of the entry; setting it again replaces it'),
    cluster: z.string().optional().describe('cluster ID; every cluster if left out'),
    pool: z.string().optional().describe('node pool; every pool if left out'),
    model: z
      .string()
      .optional()
      .describe('name in the GPU catalog, or another board’s product label; every model if left out'),
    instanceType: z
      .string()
      .max(100)
      .optional()
      .describe('machine type, from node.kubernetes.io/instance-type; every type if left out'),
    region: z
      .string()
      .max(100)
      .optional()
      .describe('region, from topology.kubernetes.io/region; every region if left out'),
    capacity: Capacity.optional().describe(
      'capacity type, from the labels of clouds and autoscalers; a node without such a label matches both on-demand and owned. Any capacity type if left out',
    ),
    effectiveFrom: z.iso.date().optional().describe('effective from this day (UTC); always if left out'),
    usdPerGpuHour: z
      .number()
      .positive()
      .max(10_000)
      .optional()
      .describe('US dollars per GPU-hour; leave out with owned'),
    owned: OwnedHardware.optional(),
    source: z.string().min(3).max(200).describe('where the price comes from; shown next to every amount'),
  }),
  output: PriceView,
})

export const pricesRemove = operation(ROUTES.pricesRemove, {
  title: 'Remove a price',
  description: 'Removes a price that an operator set; the shipped default applies again.',
  input: z.strictObject({ id: z.string().describe('ID of the entry') }),
  output: named('PriceRemoved', { removed: z.string() }),
})
