import { z } from 'zod'

import { answered, ClusterInput, FigureSchema, InstantText, ProblemSchema } from './figure.ts'
import { operation } from './operation.ts'

/** One block of a slice bar: drawn at `start`, `size` wide, in memory slices. */
export const BlockSchema = z
  .object({
    kind: z
      .enum(['busy', 'idle', 'unknown', 'free', 'stranded', 'others'])
      .describe('others: held in a namespace that the caller may not see'),
    start: z.number().int(),
    size: z.number().int(),
    profile: z.string().nullable(),
    placement: z.enum(['reported', 'inferred', 'unknown']),
    busy: z.number().nullable().describe('0–1 now; null when not known'),
    holder: z.string().nullable().describe('namespace/workload; null where it is free or of others'),
    because: z.string().nullable(),
  })
  .meta({ id: 'Block' })
export type BlockView = z.output<typeof BlockSchema>

export const GpuViewSchema = z
  .object({
    id: z.string(),
    index: z.number().int(),
    model: z.string(),
    mode: z.enum(['whole', 'mig', 'shared']),
    slots: z.number().int().describe('width of the bar in memory slices'),
    blocks: z.array(BlockSchema),
    fault: ProblemSchema.nullable(),
  })
  .meta({ id: 'Gpu' })
export type GpuView = z.output<typeof GpuViewSchema>

export const partitionsList = operation({
  name: 'partitions.list',
  title: 'MIG partition status',
  description:
    'Per node: its GPUs as slice bars at their placements, how many partitions exist, are used and available, and how busy they are. A caller who is limited to namespaces gets the GPUs on which these hold something.',
  input: z.strictObject({
    ...ClusterInput,
    mig: z.enum(['true', 'false']).default('true').describe('true: only nodes in MIG mode'),
    limit: z.coerce.number().int().min(1).max(2000).default(200),
    offset: z.coerce.number().int().min(0).default(0),
  }),
  output: z
    .object({
      ...answered,
      total: z.number().int().describe('nodes that match, before limit and offset'),
      nodes: z.array(
        z.object({
          node: z.string(),
          model: z.string(),
          pool: z.string(),
          ready: z.boolean(),
          mig: z.object({ strategy: z.string(), config: z.string().nullable(), state: z.string().nullable() }),
          total: z.number().int().describe('partitions: GPU instances, whole GPUs and shared replicas'),
          used: z.number().int(),
          available: z.number().int(),
          utilization: FigureSchema,
          gpus: z.array(GpuViewSchema),
          problems: z.array(ProblemSchema),
        }),
      ),
    })
    .meta({ id: 'PartitionList' }),
  role: 'viewer',
  reach: 'namespaces',
  effect: 'read',
  http: { method: 'GET', path: '/api/v1/partitions' },
})

export const workloadsList = operation({
  name: 'workloads.list',
  title: 'GPU workloads',
  description:
    'Running and queued GPU workloads with what they hold, how busy it is, what it costs, and why queued ones wait. A caller who is limited to namespaces gets those of these.',
  input: z.strictObject({
    ...ClusterInput,
    status: z.enum(['running', 'queued', 'all']).default('all'),
    limit: z.coerce.number().int().min(1).max(2000).default(200),
    offset: z.coerce.number().int().min(0).default(0),
  }),
  output: z
    .object({
      ...answered,
      total: z.number().int(),
      workloads: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          namespace: z.string(),
          kind: z.string(),
          class: z.string(),
          status: z.enum(['running', 'queued']),
          gpu: z.string().describe('count and model or profile, "2 × H100"'),
          since: InstantText.nullable(),
          duration: z.number().nullable().describe('seconds it has run or waited, as of asOf'),
          busy: FigureSchema,
          gpuHours: z.number().nullable(),
          cost: FigureSchema,
          waiting: z.object({ reason: z.string(), message: z.string() }).nullable(),
        }),
      ),
    })
    .meta({ id: 'WorkloadList' }),
  role: 'viewer',
  reach: 'namespaces',
  effect: 'read',
  http: { method: 'GET', path: '/api/v1/workloads' },
})
