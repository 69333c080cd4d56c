import { WORKLOAD_SORTS, type OPERATIONS, type OutputOf } from '@septet/contract'
import { z } from 'zod'

import { ABOUT, aboutOf, CLUSTER, figureOf, offset, RANGE, rows, TOTAL } from '../answer-parts.ts'
import { tool } from '../tool.ts'

type Row = OutputOf<typeof OPERATIONS.workloadsList>['workloads'][number]

/** One row a workload and no names in it: a hundred rows fit into a context. */
const COLUMNS = {
  id: ({ id }) => id,
  status: ({ status }) => status,
  class: (row) => row.class,
  tenant: ({ tenant }) => tenant,
  gpu: ({ gpu }) => gpu,
  holdsGpus: ({ holds }) => holds?.gpus ?? null,
  idleGpus: ({ holds }) => holds?.idle ?? null,
  since: ({ since }) => since && `${since.slice(0, 16)}Z`,
  busy: ({ busy }) => figureOf(busy).says,
  gpuHours: ({ gpuHours }) => gpuHours,
  idleGpuHours: ({ idleGpuHours }) => idleGpuHours,
  cost: ({ cost }) => figureOf(cost).says,
  idleCost: ({ idleCost }) => figureOf(idleCost).says,
  rightSize: ({ rightSize }) => rightSize.profile ?? rightSize.kind,
  waitsFor: ({ waiting }) => waiting?.message ?? null,
} satisfies Readonly<Record<string, (row: Row) => string | number | null>>

/** What the figures of a column are made of. */
const formulaOf = ({ unit, explain: { formula, source } }: Row['cost']): string => `${unit}: ${formula} (${source})`

export const listWorkloadsTool = tool({
  name: 'list_workloads',
  title: 'GPU workloads',
  description:
    'GPU workloads with what they hold, how busy they were, what they cost and what of that was idle, or why they wait. Filter by namespace, tenant, class, status or text; sort by idleCost to find waste, by duration to find what has run or waited longest. How utilized a namespace is: cost_breakdown.',
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
    formulas: z.object({ busy: z.string(), cost: z.string(), idleCost: z.string() }).nullable(),
    columns: z
      .array(z.string())
      .describe(
        'id: what explain_workload takes; holdsGpus: GPU-equivalents held now, idleGpus: of these idle now; null: unknown, or none',
      ),
    workloads: z.array(z.array(z.union([z.string(), z.number(), z.null()]))).describe('a row each, by columns'),
  }),
  answer: async ({ idleNow, ...input }, ask) => {
    const list = await ask('workloadsList', { ...input, idle: idleNow ? 'true' : 'false' })
    const [first] = list.workloads
    const { range, namespace, sort } = input
    return {
      ...aboutOf(list, '/workloads', { range, q: input.search ?? namespace, sort }),
      total: list.total,
      counts: list.counts,
      formulas:
        first === undefined
          ? null
          : { busy: formulaOf(first.busy), cost: formulaOf(first.cost), idleCost: formulaOf(first.idleCost) },
      columns: Object.keys(COLUMNS),
      workloads: list.workloads.map((row) => Object.values(COLUMNS).map((column) => column(row))),
    }
  },
})
