import { z } from 'zod'

import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { answered, ClusterInput, RangeInput } from './figure.ts'

const Address = z
  .url({ protocol: /^https?$/u })
  .max(500)
  .describe('of its API, port 9003; for Kubecost, ending in /model')

const Side = z.object({ gpuHours: z.number().nullable(), cost: z.number().nullable() })
const Beside = {
  name: z.string(),
  ours: Side,
  theirs: Side,
  because: z.array(z.string()).describe('why the two differ; empty if they agree within 1%'),
}

export const openCostCompare = operation(ROUTES.openCostCompare, {
  title: 'Compare with OpenCost',
  description:
    'GPU-hours and cost of a range by node and namespace, next to what OpenCost or Kubecost reports for the same cluster, and why they differ. OpenCost is queried while you wait.',
  input: z.strictObject({ ...ClusterInput, ...RangeInput }),
  output: named('OpenCostComparison', {
    ...answered,
    address: z.string().nullable().describe('null if none is configured for this cluster'),
    nodes: z.array(
      z.object({
        ...Beside,
        theirGpuCost: z
          .number()
          .nullable()
          .describe('what OpenCost attributes to GPUs alone; `theirs` covers the whole machine'),
        difference: z
          .object({ hours: z.number(), host: z.number(), price: z.number() })
          .nullable()
          .describe('ours − theirGpuCost, split to the cent: hours counted, CPU and memory of the machine, price'),
      }),
    ),
    namespaces: z.array(z.object(Beside)).describe('an empty name: unallocated capacity'),
  }),
})

export const openCostPut = operation(ROUTES.openCostPut, {
  title: 'Set the address of OpenCost',
  description: 'Sets the URL of the OpenCost or Kubecost that watches a cluster, or removes it.',
  input: z.strictObject({
    id: z.string().max(200).describe('cluster id'),
    address: Address.nullable().describe('null: none'),
  }),
  output: named('OpenCostAddress', { address: z.string().nullable() }),
})
