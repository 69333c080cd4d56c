import { z } from 'zod'

import { told, ClusterInput, FigureSchema, ProblemSchema } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

/** One block of a slice bar: drawn at `start`, `size` wide, in memory slices. */
export const BlockSchema = named('Block', {
  kind: z
    .enum(['busy', 'idle', 'unknown', 'free', 'stranded', 'others', 'uncut'])
    .describe(
      'free: an instance, replica or whole GPU that no workload holds; uncut: memory slices in no instance, available for a new one; stranded: memory slices that no profile can use in the current layout; others: held in a namespace the caller may not see',
    ),
  start: z.number().int(),
  size: z.number().int(),
  profile: z.string().nullable(),
  placement: z.enum(['reported', 'inferred', 'unknown']),
  busy: z.number().nullable().describe('0–1 now; null if unknown'),
  holder: z.string().nullable().describe('namespace/workload; null if free or held by others'),
  because: z.string().nullable(),
})
export type BlockView = z.output<typeof BlockSchema>

export const GpuViewSchema = named('Gpu', {
  id: z.string(),
  index: z.number().int(),
  model: z.string(),
  mode: z.enum(['whole', 'mig', 'shared']),
  slots: z.number().int().describe('width of the bar in memory slices'),
  blocks: z.array(BlockSchema),
  fault: ProblemSchema.nullable(),
})
export type GpuView = z.output<typeof GpuViewSchema>

/** What of a node its partitions are doing; a node can be in several. */
export const NODE_STATES = ['free', 'none-free', 'changing', 'failed', 'stranded'] as const

const FacetSchema = z.array(z.object({ name: z.string(), nodes: z.number().int() }))

const StrandedSchema = z
  .object({
    structural: z
      .number()
      .int()
      .describe('inherent to the profiles: 3g + 3g leaves one of seven unused in any placement'),
    byPlacement: z.number().int().describe('only because of where the instances are placed'),
  })
  .describe('compute slices that no profile can use in the current layout')

const NodePartitionsSchema = named('NodePartitions', {
  node: z.string(),
  model: z.string(),
  pool: z.string(),
  ready: z.boolean(),
  schedulable: z.boolean().describe('false: cordoned'),
  mig: z.object({ strategy: z.string(), config: z.string().nullable(), state: z.string().nullable() }),
  actuator: z
    .enum(['mig-manager', 'dra'])
    .describe('who repartitions its GPUs: mig-manager a GPU as a whole, DRA one instance at a time'),
  sharing: z.string().nullable().describe('how its GPUs are shared without MIG; null: not shared'),
  total: z.number().int().describe('partitions: GPU instances, whole GPUs and shared replicas'),
  used: z.number().int(),
  available: z.number().int(),
  utilization: FigureSchema.describe('how busy what was held on the node was over the last hour'),
  coverage: FigureSchema,
  allocation: FigureSchema,
  fragmentation: FigureSchema,
  stranded: StrandedSchema.nullable().describe('null for a caller limited to namespaces'),
  states: z.array(z.enum(NODE_STATES)),
  gpus: z.array(GpuViewSchema),
  problems: z.array(ProblemSchema),
})

export const partitionsList = operation(ROUTES.partitionsList, {
  title: 'MIG partition status',
  description:
    'Per node: its GPUs as slice bars with real placements, how many partitions exist, are used and are available, and how busy they are. A caller limited to namespaces sees the GPUs their namespaces hold something on.',
  input: z.strictObject({
    ...ClusterInput,
    mig: z.enum(['true', 'false']).default('true').describe('true: only nodes in MIG mode'),
    search: z.string().max(253).optional().describe('part of the name of a node, or of a workload on it'),
    node: z.string().max(253).optional().describe('only the node with this name'),
    model: z.string().max(200).optional().describe('only nodes with this GPU model'),
    pool: z.string().max(253).optional().describe('only nodes in this pool'),
    state: z.enum(NODE_STATES).optional().describe('only nodes in this state'),
    limit: z.coerce.number().int().min(1).max(2000).default(200),
    offset: z.coerce.number().int().min(0).default(0),
  }),
  output: named('PartitionList', {
    ...told,
    total: z.number().int().describe('nodes that match, before limit and offset'),
    facets: z
      .object({ models: FacetSchema, pools: FacetSchema, states: FacetSchema })
      .describe('available filters, counted before search, model, pool and state apply'),
    nodes: z.array(NodePartitionsSchema),
  }),
})
