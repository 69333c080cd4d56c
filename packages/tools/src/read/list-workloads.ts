import { WORKLOAD_SORTS, type OPERATIONS, type OutputOf } from '@septet/contract'
import { z } from 'zod'

import { ABOUT, aboutOf, CLUSTER, FIGURE, figureOf, offset, RANGE, rows, TOTAL } from '../answer-parts.ts'
import { tool } from '../tool.ts'

type Row = OutputOf<typeof OPERATIONS.workloadsList>['workloads'][number]

const ROW = z.object({
  id: z.string().describe('namespace/Kind/name: what explain_workload takes'),
  status: z.string(),
  class: z.string(),
  tenant: z.string().nullable(),
  gpu: z.string(),
  holdsGpus: z.number().nullable().describe('GPU-equivalents held now; null while it holds nothing'),
  idleGpus: z.number().nullable().describe('of these, held and idle now'),
  since: z.string().nullable(),
  busy: z.string(),
  gpuHours: z.number().nullable(),
  idleGpuHours: z.number().nullable(),
  cost: z.string(),
  idleCost: z.string(),
  rightSize: z.string(),
  waitsFor: z.string().nullable(),
})

export const listWorkloads = tool({
  name: 'list_workloads',
  title: 'GPU workloads',
  description:
    'GPU workloads with what they hold, how busy they were, what they cost and what of that was idle, or why they wait. Filter by namespace, tenant, class, status or text; sort by idleCost to find waste, by duration to find what has run or waited longest.',
  toolset: 'read',
  operations: ['workloadsList'],
  input: z.strictObject({
    ...CLUSTER,
    ...RANGE,
    status: z.enum(['running', 'queued', 'ended', 'all']).default('all').describe('all: running and queued'),
    namespace: z.string().max(253).optional(),
    tenant: z.string().max(63).optional(),
    class: z.string().max(63).optional().describe('training, inference, notebook, batch, …'),
    search: z.string().max(253).optional().describe('part of a name, namespace, resource or queue'),
    idleNow: z.boolean().default(false).describe('only those that hold something idle now'),
    sort: z.enum(WORKLOAD_SORTS).default('idleCost'),
    order: z.enum(['up', 'down']).default('down'),
    ...rows(20),
    ...offset,
  }),
  output: z.object({
    ...ABOUT,
    total: TOTAL,
    counts: z.object({ running: z.number(), queued: z.number(), ended: z.number(), idle: z.number() }),
    figures: z
      .object({ busy: FIGURE, cost: FIGURE, idleCost: FIGURE })
      .nullable()
      .describe('of the first row, for formula and source'),
    workloads: z.array(ROW),
  }),
  answer: async ({ idleNow, ...input }, ask) => {
    const list = await ask('workloadsList', { ...input, idle: idleNow ? 'true' : 'false' })
    const [first] = list.workloads
    const { range, namespace, sort } = input
    return {
      ...aboutOf(list, '/workloads', { range, q: input.search ?? namespace, sort }),
      total: list.total,
      counts: list.counts,
      figures:
        first === undefined
          ? null
          : { busy: figureOf(first.busy), cost: figureOf(first.cost), idleCost: figureOf(first.idleCost) },
      workloads: list.workloads.map(rowOf),
    }
  },
})

const rowOf = (row: Row): z.output<typeof ROW> => ({
  id: row.id,
  status: row.status,
  class: row.class,
  tenant: row.tenant,
  gpu: row.gpu,
  holdsGpus: row.holds?.gpus ?? null,
  idleGpus: row.holds?.idle ?? null,
  since: row.since,
  busy: figureOf(row.busy).says,
  gpuHours: row.gpuHours,
  idleGpuHours: row.idleGpuHours,
  cost: figureOf(row.cost).says,
  idleCost: figureOf(row.idleCost).says,
  rightSize: row.rightSize.profile ?? row.rightSize.because ?? row.rightSize.kind,
  waitsFor: row.waiting?.message ?? null,
})
