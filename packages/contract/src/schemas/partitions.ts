import { z } from 'zod'

import { answered, ClusterInput, FigureSchema, ProblemSchema } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

/** One block of a slice bar: drawn at `start`, `size` wide, in memory slices. */
export const BlockSchema = named('Block', {
  kind: z
    .enum(['busy', 'idle', 'unknown', 'free', 'stranded', 'others', 'uncut'])
    .describe(
      'free: an instance, a replica or a whole GPU that nobody holds; uncut: memory slices in no instance, from which one can be cut; stranded: memory slices that no profile can reach while the layout stays; others: held in a namespace that the caller may not see',
    ),
  start: z.number().int(),
  size: z.number().int(),
  profile: z.string().nullable(),
  placement: z.enum(['reported', 'inferred', 'unknown']),
  busy: z.number().nullable().describe('0–1 now; null when not known'),
  holder: z.string().nullable().describe('namespace/workload; null where it is free or of others'),
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
    structural: z.number().int().describe('by the profiles themselves: 3g + 3g leaves one of seven wherever they sit'),
    byPlacement: z.number().int().describe('only because of where the instances sit'),
  })
  .describe('compute slices that no profile can reach while the layouts stay')

const NodePartitionsSchema = named('NodePartitions', {
  node: z.string(),
  model: z.string(),
  pool: z.string(),
  ready: z.boolean(),
  schedulable: z.boolean().describe('false: cordoned'),
  mig: z.object({ strategy: z.string(), config: z.string().nullable(), state: z.string().nullable() }),
  actuator: z
    .enum(['mig-manager', 'dra'])
    .describe('who would cut its GPUs: mig-manager a GPU as a whole, DRA beside neighbors'),
  sharing: z.string().nullable().describe('how its GPUs are shared without MIG; null: not'),
  total: z.number().int().describe('partitions: GPU instances, whole GPUs and shared replicas'),
  used: z.number().int(),
  available: z.number().int(),
  utilization: FigureSchema.describe('slice busy of the node over the last hour'),
  coverage: FigureSchema,
  allocation: FigureSchema,
  fragmentation: FigureSchema,
  stranded: StrandedSchema.nullable().describe('null for a caller who is limited to namespaces'),
  states: z.array(z.enum(NODE_STATES)),
  gpus: z.array(GpuViewSchema),
  problems: z.array(ProblemSchema),
})

export const partitionsList = operation(ROUTES.partitionsList, {
  title: 'MIG partition status',
  description:
    'Per node: its GPUs as slice bars at their placements, how many partitions exist, are used and available, and how busy they are. A caller who is limited to namespaces gets the GPUs on which these hold something.',
  input: z.strictObject({
    ...ClusterInput,
    mig: z.enum(['true', 'false']).default('true').describe('true: only nodes in MIG mode'),
    search: z
      .string()
      .max(253)
      .optional()
      .describe('part of the name of a node, or of a workload that holds something on it'),
    node: z.string().max(253).optional().describe('only the node of this name'),
    model: z.string().max(200).optional().describe('only nodes with this GPU model'),
    pool: z.string().max(253).optional().describe('only nodes of this pool'),
    state: z.enum(NODE_STATES).optional().describe('only nodes in this state'),
    limit: z.coerce.number().int().min(1).max(2000).default(200),
    offset: z.coerce.number().int().min(0).default(0),
  }),
  output: named('PartitionList', {
    ...answered,
    total: z.number().int().describe('nodes that match, before limit and offset'),
    facets: z
      .object({ models: FacetSchema, pools: FacetSchema, states: FacetSchema })
      .describe('what the nodes can be narrowed to, counted before search, model, pool and state'),
    nodes: z.array(NodePartitionsSchema),
  }),
})
