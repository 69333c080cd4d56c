import { z } from 'zod'

import { answered, ClusterInput, InstantText, RangeInput } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

const Capacity = z.enum(['on-demand', 'spot', 'reserved', 'owned'])
const NodeCapacity = z.enum(['on-demand', 'spot', 'reserved']).nullable()
const dollars = (most: number) => z.number().min(0).max(most)

const OwnedHardware = named('OwnedHardware', {
  purchaseUsd: z.number().positive().max(1e9).describe('for the server, with its share of network and storage, USD'),
  residualUsd: dollars(1e9).describe('what it is worth at the end of its life, USD'),
  gpus: z.number().int().min(1).max(1024).describe('GPUs in the server'),
  lifeYears: z.number().min(0.5).max(30).describe('years over which it is written off'),
  powerKw: z.number().min(0).max(1000).describe('what the server draws on average, kW; its plate says the most'),
  pue: z.number().min(1).max(5).describe('power of the site over power of its servers; 1.5 is usual'),
  usdPerKwh: dollars(10).describe('USD for a kilowatt-hour'),
  hostingUsdPerMonth: dollars(1e7).describe('space, staff, support and all else, USD a month for the server'),
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
  effectiveFrom: InstantText.nullable().describe('from when on it holds; null: always'),
  usdPerGpuHour: z.number().positive(),
  source: z.string(),
  asOf: InstantText.describe('date of the source'),
  origin: z.enum(['shipped', 'operator']),
  estimate: z.boolean().describe('made from the price of another model; nobody asks it'),
  owned: OwnedHardware.nullable().describe('what the price was reckoned from'),
})

export const pricesList = operation(ROUTES.pricesList, {
  title: 'Price book',
  description:
    'Every price in force, shipped or set by an operator, with source and date. What an operator set wins, then the narrowest match: pool, cluster, instance type, region, capacity, model; of equals the one that holds since last.',
  input: z.strictObject({
    machines: z
      .enum(['here', 'all'])
      .default('here')
      .describe('of which machines shipped prices are told: of those in a cluster that the caller may see, or of all'),
  }),
  output: named('PriceBook', { prices: z.array(PriceView) }),
})

export const pricesUsed = operation(ROUTES.pricesUsed, {
  title: 'Prices in use',
  description:
    'Which GPUs were ready in a window, by model, pool and machine, with their GPU-hours and the price that applies to them; null where no price is known.',
  input: z.strictObject({ ...ClusterInput, ...RangeInput }),
  output: named('PricesUsed', {
    ...answered,
    observedSeconds: z.number(),
    uses: z.array(
      z.object({
        model: z.string(),
        pool: z.string(),
        instanceType: z.string().describe('empty where no label says it, or the node is gone'),
        region: z.string().describe('likewise'),
        capacity: NodeCapacity.describe('null where no label says it'),
        gpuHours: z.number(),
        usdPerGpuHour: z.number().nullable(),
        source: z.string().describe('where the price is from, or why there is none'),
        asOf: InstantText.nullable().describe('date of the source'),
        estimate: z.boolean().describe('made from the price of another model'),
      }),
    ),
  }),
})

export const pricesPut = operation(ROUTES.pricesPut, {
  title: 'Set a price',
  description:
    'Sets the price of a GPU-hour for a cluster, node pool, machine or model, from a day on; the source is shown next to every amount. For machines of one’s own give `owned` instead: the price is reckoned from it, and it is kept.',
  input: z.strictObject({
    id: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/u)
      .describe('name of the entry; setting it again replaces it'),
    cluster: z.string().optional().describe('cluster id; every cluster when left out'),
    pool: z.string().optional().describe('node pool; every pool when left out'),
    model: z
      .string()
      .optional()
      .describe('name in the GPU catalog, or the product label of another board; every model when left out'),
    instanceType: z
      .string()
      .max(100)
      .optional()
      .describe('machine by node.kubernetes.io/instance-type; else every one'),
    region: z.string().max(100).optional().describe('region by topology.kubernetes.io/region; every one when left out'),
    capacity: Capacity.optional().describe(
      'how it is paid for, by the labels of clouds and autoscalers; a node without such a label counts as on-demand and as owned. However paid when left out',
    ),
    effectiveFrom: z.iso.date().optional().describe('day (UTC) from which on it holds; always when left out'),
    usdPerGpuHour: z
      .number()
      .positive()
      .max(10_000)
      .optional()
      .describe('US dollars for one GPU for one hour; left out with owned'),
    owned: OwnedHardware.optional(),
    source: z.string().min(3).max(200).describe('where the price is from; shown next to every amount'),
  }),
  output: PriceView,
})

export const pricesRemove = operation(ROUTES.pricesRemove, {
  title: 'Remove a price',
  description: 'Removes a price that an operator set; the shipped default applies again.',
  input: z.strictObject({ id: z.string().describe('name of the entry') }),
  output: named('PriceRemoved', { removed: z.string() }),
})
