import { z } from 'zod'

import { told, ClusterInput } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { GpuViewSchema } from './partitions.ts'

const PLACE = {
  node: z.string(),
  actuator: z.enum(['mig-manager', 'dra']),
  gpu: GpuViewSchema,
}

export const partitionsRoom = operation(ROUTES.partitionsRoom, {
  title: 'Where a MIG profile can be placed',
  description:
    'How many instances of a profile fit in the current layout, how many more after repartitioning unallocated GPUs, on which GPUs at which memory slices; and where it does not fit, what it would displace or why it never can. A caller limited to namespaces sees the GPUs their namespaces hold something on.',
  input: z.strictObject({
    ...ClusterInput,
    profile: z.string().min(1).max(60).describe('as NVML prints it: 3g.40gb'),
    model: z.string().max(200).optional().describe('only GPUs of this model; profiles differ between boards'),
    count: z.coerce.number().int().min(1).max(100_000).default(1).describe('how many you want at once'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(200)
      .default(24)
      .describe('maximum number of locations, and of blocked GPUs'),
  }),
  output: named('PartitionRoom', {
    ...told,
    profile: z.string(),
    count: z.number().int(),
    verdict: z
      .enum(['now', 'recut', 'displacing', 'never'])
      .describe(
        'now: in the current layout; recut: after repartitioning unallocated GPUs; displacing: only if holders move',
      ),
    now: z.number().int(),
    recut: z.number().int().describe('additional ones after repartitioning unallocated GPUs'),
    placeable: z.object({ gpus: z.number().int(), nodes: z.number().int() }),
    places: z.array(
      z.object({
        ...PLACE,
        now: z.number().int(),
        starts: z.array(z.number().int()).describe('memory slices where one can start now'),
        recut: z.number().int(),
        replaces: z.number().int().describe('free instances that repartitioning replaces'),
      }),
    ),
    blockedGpus: z.number().int(),
    blocked: z
      .array(
        z.object({
          ...PLACE,
          because: z.string(),
          inTheWay: z.array(
            z.object({
              profile: z.string().nullable().describe('null: a whole GPU'),
              start: z.number().int().nullable(),
              holder: z.string().nullable().describe('null: a namespace the caller may not see'),
            }),
          ),
          cutAnew: z.boolean(),
        }),
      )
      .describe('GPUs that would have room if their holders left, fewest holders first'),
    refusals: z
      .array(z.object({ because: z.string(), gpus: z.number().int(), nodes: z.number().int(), example: z.string() }))
      .describe('GPUs that cannot hold one no matter who leaves, by reason'),
  }),
})
