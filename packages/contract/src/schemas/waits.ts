import { z } from 'zod'

import { told, ClusterInput, FigureSchema, RangeInput } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

/** How much was waited. */
const AMOUNT = {
  seconds: z.number().describe('waiting time, summed over pods'),
  gpuHours: z.number().nullable().describe('GPUs requested × time; null if the number is unknown'),
  usd: z.number().nullable().describe('the price of these GPU-hours; null if unknown'),
}

const CauseWaitSchema = named('CauseWait', {
  ...AMOUNT,
  cause: z.string().describe('stable word: quota, gate, volume, spread, affinity, cpu-memory, shape, …'),
  name: z.string(),
  meaning: z.string(),
  workloads: z.number().int(),
  waiting: z.number().int().describe('how many of them wait for it now'),
  change: z
    .object({ kind: z.string(), sentence: z.string() })
    .nullable()
    .describe('the cheapest single change that would end, or would have ended, most of it; null: none known'),
})

export const queueWaits = operation(ROUTES.queueWaits, {
  title: 'Cost of waiting, by cause',
  description:
    'How long work waited over a range and for what, in time, GPU-hours and money, with the cheapest single change that ends each wait. A wait lasts from a pod’s creation to its binding; causes add up to it to the second. Money is the price of the GPUs work waited for, not part of a bill. A caller limited to namespaces sees waits in their namespaces.',
  input: z.strictObject({
    ...ClusterInput,
    ...RangeInput,
    workload: z.string().max(600).optional().describe('only this workload: namespace/Kind/name'),
    limit: z.coerce.number().int().min(1).max(2000).default(100).describe('maximum number of workloads listed'),
  }),
  output: named('QueueWaits', {
    ...told,
    seconds: z.number().describe('total waiting time in the range; the seconds of all causes add up to it'),
    hours: FigureSchema.describe('GPU-hours waited'),
    cost: FigureSchema.describe('the price of these GPU-hours'),
    causes: z.array(CauseWaitSchema).describe('longest first'),
    workloads: z
      .array(
        z.object({
          ...AMOUNT,
          id: z.string(),
          name: z.string(),
          namespace: z.string(),
          asks: z.string().describe('what one of its pods requests'),
          waitsFor: z.string().nullable().describe('what it waits for now; null: it is no longer waiting'),
          causes: z.array(CauseWaitSchema),
        }),
      )
      .describe('longest first'),
    total: z.number().int().describe('workloads that waited, before limit'),
    note: z.string().describe('what the money means'),
    withheld: z.string().nullable().describe('what a caller limited to namespaces is not shown'),
  }),
})
