import { z } from 'zod'

import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { answered, ClusterInput, RangeInput } from './figure.ts'

const Address = z
  .url({ protocol: /^https?$/u })
  .max(500)
  .describe('of its API, port 9003; with /model at the end for Kubecost')

const Side = z.object({ gpuHours: z.number().nullable(), cost: z.number().nullable() })
const Beside = {
  name: z.string(),
  ours: Side,
  theirs: Side,
  because: z.array(z.string()).describe('why the two differ; empty where they agree within 1 %'),
}

export const openCostCompare = operation(ROUTES.openCostCompare, {
  title: 'Compare with OpenCost',
  description:
    'GPU-hours and cost of a window by node and namespace, beside what OpenCost or Kubecost says of the same cluster, and why they differ. It is asked while you wait.',
  input: z.strictObject({ ...ClusterInput, ...RangeInput }),
  output: named('OpenCostComparison', {
    ...answered,
    address: z
      .string()
      .nullable()
      .describe('null where none is set for this cluster; there is nothing to compare then'),
    nodes: z.array(
      z.object({
        ...Beside,
        theirGpuCost: z
          .number()
          .nullable()
          .describe('what OpenCost gives to GPUs alone; `theirs` is of the whole machine'),
        difference: z
          .object({ hours: z.number(), host: z.number(), price: z.number() })
          .nullable()
          .describe('ours − theirGpuCost, split to the cent: hours counted, CPU and memory of the machine, price'),
      }),
    ),
    namespaces: z.array(z.object(Beside)).describe('an empty name is what nobody held'),
  }),
})

export const openCostPut = operation(ROUTES.openCostPut, {
  title: 'Set the address of OpenCost',
  description: 'Says where the OpenCost or Kubecost that watches a cluster answers, or that there is none.',
  input: z.strictObject({
    id: z.string().max(200).describe('cluster id'),
    address: Address.nullable().describe('null: there is none'),
  }),
  output: named('OpenCostAddress', { address: z.string().nullable() }),
})
