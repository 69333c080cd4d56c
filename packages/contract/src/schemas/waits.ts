import { z } from 'zod'

import { answered, ClusterInput, FigureSchema, RangeInput } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

/** How much was waited. */
const AMOUNT = {
  seconds: z.number().describe('time waited, summed over pods'),
  gpuHours: z.number().nullable().describe('GPUs asked for × time; null where it is not known how many'),
  usd: z.number().nullable().describe('the price of these GPU-hours; null when none is known'),
}

const CauseWaitSchema = named('CauseWait', {
  ...AMOUNT,
  cause: z.string().describe('stable word: quota, gate, volume, spread, affinity, cpu-memory, shape, …'),
  name: z.string(),
  meaning: z.string(),
  workloads: z.number().int(),
  waiting: z.number().int().describe('of these, how many wait for it now'),
  change: z
    .object({ kind: z.string(), sentence: z.string() })
    .nullable()
    .describe('the cheapest single change that would end, or would have ended, most of it; null: none is known'),
})

export const queueWaits = operation(ROUTES.queueWaits, {
  title: 'What waiting cost, by cause',
  description:
    'For how long work waited over a window and for what, in time, GPU-hours and money, with the cheapest single change that ends each wait. A wait lasts from the creation of a pod to its binding; causes add up to it to the second. Money is the price of the GPUs that work waited for, not an amount of a bill. A caller who is limited to namespaces gets the waits of these.',
  input: z.strictObject({
    ...ClusterInput,
    ...RangeInput,
    workload: z.string().max(600).optional().describe('only of this one: namespace/Kind/name'),
    limit: z.coerce.number().int().min(1).max(2000).default(100).describe('workloads listed at most'),
  }),
  output: named('QueueWaits', {
    ...answered,
    seconds: z.number().describe('the whole wait of the window; the seconds of all causes add up to it'),
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
          asks: z.string().describe('what one of its pods asks for'),
          waitsFor: z.string().nullable().describe('the cause for which it waits now; null: it waits no longer'),
          causes: z.array(CauseWaitSchema),
        }),
      )
      .describe('longest first'),
    total: z.number().int().describe('workloads that waited, before limit'),
    note: z.string().describe('what the money is'),
    withheld: z.string().nullable().describe('what a caller who is limited to namespaces is not told'),
  }),
})
