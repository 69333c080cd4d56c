import type { OPERATIONS, OutputOf } from '@septet/contract'
import { dollars } from '@septet/domain/words'
import { z } from 'zod'

import { ABOUT, aboutOf, brief, CLUSTER, RANGE, rows, TOTAL } from '../answer-parts.ts'
import { tool } from '../tool.ts'

type Group = OutputOf<typeof OPERATIONS.costBreakdown>['groups'][number]
type Parts = Group['gpuHours']

const PARTS = z
  .record(z.string(), z.number().nullable())
  .describe('capacity = used + idleHeld + unallocated + stranded + oversized + broken; unmeasured is a part of used')

export const costBreakdownTool = tool({
  name: 'cost_breakdown',
  title: 'Cost and waste by team',
  description:
    'GPU-hours and dollars by namespace, tenant, label, GPU model, pool or node over a range, each split into used, idle, unallocated, stranded, oversized and broken, to the cent. With `forecast` what this month will cost, and the budgets. With `within` the workloads of one group.',
  toolset: 'read',
  operations: ['costBreakdown', 'budgetsList'],
  input: z.strictObject({
    ...CLUSTER,
    ...RANGE,
    by: z.enum(['namespace', 'tenant', 'label', 'model', 'pool', 'node']).default('namespace'),
    label: z.string().max(320).optional().describe('key of the label, with by=label'),
    within: z.string().max(400).optional().describe('id of a group: its workloads instead'),
    forecast: z.boolean().default(false).describe('whether to tell the forecast of this month and the budgets too'),
    ...rows(25),
  }),
  output: z.object({
    ...ABOUT,
    by: z.string(),
    unit: z.string(),
    total: z.object({ gpuHours: PARTS, usd: PARTS.nullable() }).nullable(),
    groupCount: TOTAL,
    groups: z
      .array(z.object({ id: z.string(), name: z.string(), gpuHours: PARTS, usd: PARTS.nullable() }))
      .describe('most expensive first'),
    rest: z.object({ groups: z.number(), gpuHours: z.number(), usd: z.number().nullable() }).nullable(),
    unpricedGpuHours: z.number(),
    month: z
      .object({ name: z.string(), spent: z.number().nullable(), forecast: z.string() })
      .nullable()
      .describe('null: not asked for'),
    budgets: z.array(
      z.object({ id: z.string(), usdPerMonth: z.number(), spent: z.number().nullable(), share: z.number().nullable() }),
    ),
    notes: z.array(z.string()),
  }),
  answer: async ({ cluster, range, by, label, within, forecast, limit }, ask) => {
    const [cost, { budgets, outlook }] = await Promise.all([
      ask('costBreakdown', { cluster, range, by, label, within }),
      forecast ? ask('budgetsList', { cluster }) : { budgets: [], outlook: null },
    ])
    const sorted = cost.groups.toSorted((a, b) => amount(b) - amount(a))
    const rest = sorted.slice(limit)
    return {
      ...aboutOf(cost, '/cost', { range, by }),
      by: cost.by,
      unit: 'GPU-hours and US dollars over the window',
      total: cost.total && { gpuHours: partsOf(cost.total.gpuHours), usd: cost.total.usd && partsOf(cost.total.usd) },
      groupCount: sorted.length,
      groups: sorted.slice(0, limit).map((group) => ({
        id: group.id,
        name: nameOf(group),
        gpuHours: partsOf(group.gpuHours),
        usd: group.usd && partsOf(group.usd),
      })),
      rest: rest.length === 0 ? null : restOf(rest),
      unpricedGpuHours: brief(cost.unpricedGpuHours),
      month: outlook && { name: outlook.month, spent: outlook.spent, forecast: forecastWords(outlook.forecast) },
      budgets: budgets.slice(0, 20).map(({ id, usdPerMonth, spent, share }) => ({ id, usdPerMonth, spent, share })),
      notes: cost.notes,
    }
  },
})

type Outlook = NonNullable<OutputOf<typeof OPERATIONS.budgetsList>['outlook']>

const forecastWords = (forecast: Outlook['forecast']): string =>
  forecast.kind === 'unknown'
    ? `unknown: ${forecast.because}`
    : `${dollars(forecast.usd)} (${dollars(forecast.low)} to ${dollars(forecast.high)} in four of five cases)`

const amount = ({ usd, gpuHours }: Group): number => usd?.capacity ?? gpuHours.capacity
const partsOf = (parts: Parts): z.output<typeof PARTS> => ({
  capacity: brief(parts.capacity),
  used: brief(parts.used),
  unmeasured: brief(parts.unmeasured),
  idleHeld: brief(parts.idleHeld),
  unallocated: brief(parts.unallocated),
  stranded: brief(parts.stranded),
  oversized: brief(parts.oversized),
  broken: brief(parts.broken),
})

const restOf = (groups: readonly Group[]) => ({
  groups: groups.length,
  gpuHours: brief(groups.reduce((sum, { gpuHours }) => sum + gpuHours.capacity, 0)),
  usd: groups.every(({ usd }) => usd === null)
    ? null
    : brief(groups.reduce((sum, { usd }) => sum + (usd?.capacity ?? 0), 0)),
})

const NAMELESS = {
  none: 'without one',
  unknown: 'ended before its labels were read',
  free: 'unallocated',
} as const

const nameOf = ({ key, kind }: Group): string => (kind === 'named' ? key : NAMELESS[kind])
