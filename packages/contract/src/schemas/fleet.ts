import { FIELDS, HOLDER_EVIDENCE, KEPT, recordOf, SHOWN_FIELDS, SHOWN_MEANS } from '@septet/domain'
import { z } from 'zod'

import { answered, ClusterInput, FigureSchema, InstantText, ProblemSchema, told } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { BlockSchema, GpuViewSchema } from './partitions.ts'

const kinds = BlockSchema.shape.kind.options
const modes = GpuViewSchema.shape.mode.options
const placements = BlockSchema.shape.placement.options

const numbers = z.array(z.number().int())
const texts = z.array(z.string())
const oneOf = (names: readonly string[]): string => names.map((name, code) => `${code} ${name}`).join(', ')

/** What seldom changes: which GPUs there are and how they are cut. */
const FrameSchema = named('FleetFrame', {
  models: texts,
  pools: texts.describe('an empty name: no pool label'),
  profiles: texts,
  nodes: z.object({ name: texts, pool: numbers.describe('index into pools') }).describe('by name'),
  gpus: z
    .object({
      id: texts,
      node: numbers.describe('index into nodes'),
      index: numbers,
      model: numbers.describe('index into models'),
      mode: numbers.describe(oneOf(modes)),
      slots: numbers.describe('width of the bar in memory slices'),
      blocks: numbers.describe('how many of the blocks belong to this GPU'),
    })
    .describe('node by node, by index'),
  blocks: z
    .object({
      start: numbers.describe('in memory slices'),
      size: numbers.describe('in memory slices'),
      profile: numbers.describe('index into profiles; -1: none'),
      placement: numbers.describe(oneOf(placements)),
    })
    .describe('GPU by GPU, in the order of gpus'),
})
export type FleetFrame = z.output<typeof FrameSchema>

/** What changes with every reading. */
const NowSchema = named('FleetNow', {
  holders: texts.describe('namespace/Kind/name'),
  tenants: texts,
  holderTenant: numbers.describe('index into tenants, by holder; -1: no tenant rule matches'),
  reasons: texts,
  notReady: numbers.describe('indexes of nodes that are not ready'),
  faults: z.array(ProblemSchema.extend({ gpu: z.number().int().describe('index into gpus') })),
  blocks: z
    .object({
      kind: numbers.describe(oneOf(kinds)),
      busy: numbers.describe('thousandths, 0 to 1000; -1: unknown (never 0 for unknown)'),
      holder: numbers.describe('index into holders; -1: no workload, or others'),
      reason: numbers.describe('index into reasons: why busy is unknown; -1: none'),
    })
    .describe('in the order of the frame’s blocks'),
})
export type FleetNow = z.output<typeof NowSchema>

export const fleetMap = operation(ROUTES.fleetMap, {
  title: 'Every GPU in a cluster',
  description:
    'All GPUs as slice bars, column by column: one field’s values for all GPUs or blocks follow each other, and names appear once in a list. Send the revision you have to get only what is new. A caller limited to namespaces sees the GPUs their namespaces hold something on.',
  input: z.strictObject({
    ...ClusterInput,
    known: z.string().optional().describe('revision of the frame from an earlier answer'),
  }),
  output: named('FleetMap', {
    ...answered,
    revision: z.string().describe('equal for identical frames'),
    frame: FrameSchema.nullable().describe('null if you already have this revision'),
    now: NowSchema,
  }),
})

export const fleetBroken = operation(ROUTES.fleetBroken, {
  title: 'GPUs that cannot be used',
  description:
    'GPUs with a fault, GPUs on nodes that are not ready, and GPUs withheld by their node, each with what is wrong and the workloads that hold it, by node and index. A caller limited to namespaces sees those their namespaces hold something on.',
  input: z.strictObject(ClusterInput),
  output: named('BrokenGpus', {
    ...told,
    gpus: z.array(
      z.object({
        id: z.string(),
        node: z.string(),
        index: z.number().int(),
        model: z.string(),
        problem: ProblemSchema.describe('the GPU’s fault; if it has none, that its node is not ready or withholds it'),
        workloads: texts.describe('who holds part of it: namespace/Kind/name'),
      }),
    ),
  }),
})

const known = z.array(z.number().nullable())

export const fleetGpu = operation(ROUTES.fleetGpu, {
  title: 'One GPU',
  description: `One GPU: its layout at its placements, who holds each partition since when, busy, memory, ${SHOWN_FIELDS.map((field) => FIELDS[field].shown.label.toLowerCase()).join(', ')} and faults now, its XID errors, and the last 24 hours in five-minute buckets. A bucket without trustworthy measurement has null, never 0.`,
  input: z.strictObject({ ...ClusterInput, gpu: z.string().describe('GPU ID: its UUID, or node#index') }),
  output: named('FleetGpu', {
    ...answered,
    gpu: GpuViewSchema,
    node: z.object({
      name: z.string(),
      pool: z.string(),
      ready: z.boolean(),
      schedulable: z.boolean(),
      mig: z.object({ strategy: z.string(), config: z.string().nullable(), state: z.string().nullable() }),
      problems: z.array(ProblemSchema),
    }),
    identified: z.enum(['telemetry', 'resource-slice', 'label']).describe('how Septet learned about the GPU'),
    reading: z.object({
      at: InstantText.nullable().describe('time of the newest sample from this GPU'),
      memoryUsed: FigureSchema,
      memoryTotal: FigureSchema,
      memoryTotalOf: z
        .enum(['board', 'instances'])
        .describe('whether the total memory is the board’s own or the sum over its MIG instances'),
      ...recordOf(SHOWN_FIELDS, () => FigureSchema),
      xid: z.number().int().nullable().describe('last XID code, kept by the exporter until the driver restarts'),
    }),
    partitions: z.array(
      z.object({
        id: z.string(),
        name: z.string().describe('profile and GPU instance, "whole GPU", or replica'),
        kind: BlockSchema.shape.kind,
        profile: z.string().nullable(),
        busy: FigureSchema,
        memoryUsed: FigureSchema,
        holders: z.array(
          z.object({
            workload: z.string(),
            pod: z.string(),
            tenant: z.string().nullable(),
            since: InstantText,
            evidence: z.enum(HOLDER_EVIDENCE),
          }),
        ),
      }),
    ),
    faults: z.object({
      complete: z.boolean().describe('false: only the current fault is known, not earlier ones'),
      events: z.array(z.object({ at: InstantText, code: z.number().int().nullable(), message: z.string() })),
    }),
    day: z
      .object({
        from: InstantText,
        step: z.number().int().describe('seconds per bucket'),
        partitions: z.array(
          z.object({ id: z.string(), name: z.string(), busy: known.describe('0–1'), memory: known.describe('MiB') }),
        ),
        ...recordOf(SHOWN_MEANS, (mean) =>
          known.describe(`${FIELDS[KEPT[mean].field].unit}, of the whole GPU; only where it is not partitioned`),
        ),
      })
      .nullable()
      .describe('null while the database is down, and for sample data'),
  }),
})
