import { z } from 'zod'

import { told, ClusterInput, CostPartsSchema, FigureSchema, ProblemSchema, RangeInput, ZoneSchema } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

export const SummarySchema = named('Summary', {
  ...told,
  status: z.object({
    kind: z.enum(['operational', 'degraded', 'connecting', 'down']),
    headline: z.string().describe('"All Systems Operational" only if it is true; otherwise what is wrong'),
    problems: z.array(ProblemSchema),
  }),
  savings: z.object({
    verified: FigureSchema.describe('off the bill, measured after nodes were removed; never added to estimates'),
    freed: FigureSchema.describe('capacity freed for other work, measured after changes were applied'),
    bill: FigureSchema.describe('what open recommendations would take off the bill, estimated'),
    capacity: FigureSchema.describe('what they would free for other work while the bill stays the same, estimated'),
    waste: FigureSchema.describe('what everything except used costs per month: an upper bound, not a promise'),
    note: z.string(),
    change: z.string().nullable().describe('for example "+18% vs last month"'),
  }),
  utilization: z.object({
    busy: FigureSchema.describe('busy GPU time over ready GPU time'),
    busyOfAllocated: FigureSchema,
    allocated: FigureSchema,
    effective: FigureSchema,
    target: z.number().describe('target utilization of the fleet, as a ratio'),
    note: z.string().describe('for example "+2.3% above target"'),
  }),
  workloads: z.object({
    active: z.number().int(),
    running: z.number().int(),
    queued: z.number().int(),
    unmetGpuRequests: z.number().describe('GPUs and MIG devices that queued workloads request'),
  }),
  mig: z.object({
    headline: FigureSchema.describe(
      'slice allocation; sample data shows its fixed efficiency, a restricted view its slice busy',
    ),
    note: z.string(),
    coverage: FigureSchema.describe('compute slices in created instances over all compute slices of MIG GPUs'),
    allocation: FigureSchema.describe('compute slices of held instances over those created'),
    busy: FigureSchema.describe('utilization of held instances, weighted by compute slices'),
    fragmentation: FigureSchema.describe('1 − placeable over free compute slices, weighted over each board’s profiles'),
  }),
  distribution: z
    .object({
      total: FigureSchema.describe('total GPU-hours of all parts: those of ready GPUs, broken time left out'),
      parts: z.array(
        z.object({
          kind: z.enum(['training', 'inference', 'analytics', 'other', 'idle', 'unallocated']),
          name: z.string(),
          share: FigureSchema.describe('of the total'),
          hours: FigureSchema,
        }),
      ),
    })
    .describe('where the range’s GPU-hours went, by class of work; parts never overlap'),
  capacity: z.object({
    nodes: z.number().int(),
    gpus: z.number().int(),
    readyGpus: z.number().int(),
    devices: z.number().int().describe('GPUs and GPU instances in the latest snapshot'),
    measuredDevices: z.number().int(),
    unknown: z.array(z.object({ reason: z.string(), devices: z.number().int() })),
    sentences: z.array(z.string()).describe('"3 of 40 nodes report no metrics."; empty if all is well'),
  }),
  notes: z.array(z.string()).describe('which part of the range has data, if not all of it'),
  cost: z.object({
    capacity: FigureSchema,
    used: FigureSchema,
    unmeasured: FigureSchema.describe('part of used: held, without trustworthy telemetry'),
    idleHeld: FigureSchema,
    unallocated: FigureSchema,
    stranded: FigureSchema,
    oversized: FigureSchema,
    broken: FigureSchema.describe('GPUs on nodes that were not ready, withheld devices, and faults that stop a GPU'),
    unrequested: FigureSchema.describe('GPUs busy with work that no pod’s request explains'),
    unobserved: FigureSchema.describe('GPUs that were there but not observed'),
    hours: CostPartsSchema.nullable().describe('the same parts in GPU-hours; null for sample data'),
    unpricedGpuHours: z.number().describe('GPU-hours of capacity without a price; not in the amounts'),
  }),
})

export const summaryGet = operation(ROUTES.summaryGet, {
  title: 'Cluster summary',
  description:
    'Savings, utilization, workloads, MIG efficiency and cost of one cluster over a range, each figure with its formula, coverage and source. For a caller limited to namespaces all of it covers their namespaces only.',
  input: z.strictObject({ ...ClusterInput, ...RangeInput, zone: ZoneSchema }),
  output: SummarySchema,
})

export const utilizationTrend = operation(ROUTES.utilizationTrend, {
  title: 'GPU utilization over time',
  description:
    'Busy, busy of allocated, and allocated share of GPU time per bucket. A bucket without trustworthy measurements is null, never 0. For a caller limited to namespaces it covers what their namespaces held, and the allocated share is null.',
  input: z.strictObject({ ...ClusterInput, range: RangeInput.range.prefault('7d') }),
  output: named('UtilizationTrend', {
    ...told,
    step: z.number().int().describe('seconds per bucket; 0 for sample data, whose points are named days'),
    points: z.array(
      z.object({
        at: z.string().describe('start of the bucket (RFC 3339), or the name of a sample day'),
        busy: z.number().nullable(),
        busyOfAllocated: z.number().nullable(),
        allocated: z.number().nullable(),
        coverage: z.number().nullable(),
      }),
    ),
    models: z
      .array(
        z.object({
          model: z.string(),
          busy: z.array(z.number().nullable()),
          allocated: z.array(z.number().nullable()),
        }),
      )
      .describe('the same by GPU model, most capacity first, with a value for each point; empty for sample data'),
  }),
})
