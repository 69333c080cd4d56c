import { z } from 'zod'

import { answered, ClusterInput } from './figure.ts'
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
    'How many instances of a profile fit now as GPUs are cut, how many more once what nobody holds is cut anew, on which GPUs at which memory slices, and where it does not fit whom it would displace or why it never can. A caller who is limited to namespaces gets the GPUs on which these hold something.',
  input: z.strictObject({
    ...ClusterInput,
    profile: z.string().min(1).max(60).describe('as NVML prints it: 3g.40gb'),
    model: z
      .string()
      .max(200)
      .optional()
      .describe('only GPUs of this model; a profile has another shape on another board'),
    count: z.coerce.number().int().min(1).max(100_000).default(1).describe('how many are wanted at once'),
    limit: z.coerce.number().int().min(1).max(200).default(24).describe('of places and of blocked GPUs, each'),
  }),
  output: named('PartitionRoom', {
    ...answered,
    profile: z.string(),
    count: z.number().int(),
    verdict: z
      .enum(['now', 'recut', 'displacing', 'never'])
      .describe('now: as GPUs are cut; recut: once what nobody holds is cut anew; displacing: only if holders move'),
    now: z.number().int(),
    recut: z.number().int().describe('further ones by cutting anew what nobody holds'),
    placeable: z.object({ gpus: z.number().int(), nodes: z.number().int() }),
    places: z.array(
      z.object({
        ...PLACE,
        now: z.number().int(),
        starts: z.array(z.number().int()).describe('memory slices where one may begin now'),
        recut: z.number().int(),
        replaces: z.number().int().describe('free instances that cutting anew replaces'),
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
              holder: z.string().nullable().describe('null: a namespace that the caller may not see'),
            }),
          ),
          cutAnew: z.boolean(),
        }),
      )
      .describe('GPUs that could give one if their holders left, those with the fewest first'),
    refusals: z
      .array(z.object({ because: z.string(), gpus: z.number().int(), nodes: z.number().int(), example: z.string() }))
      .describe('GPUs that cannot give one whoever leaves, by reason'),
  }),
})
