import type { OPERATIONS, OutputOf } from '@septet/contract'
import { z } from 'zod'

import { ABOUT, aboutOf, AMOUNT, brief, CLUSTER, RANGE, rows, SHARE, textsOf, TOTAL } from '../answer-parts.ts'
import { tool } from '../tool.ts'

type Group = OutputOf<typeof OPERATIONS.costBreakdown>['groups'][number]

const PARTS = z.record(z.string(), AMOUNT)
const AMOUNTS = { busy: SHARE, coverage: SHARE, unmeasuredShare: SHARE, gpuHours: PARTS, usd: PARTS.nullable() }

export const costBreakdownTool = tool({
  name: 'cost_breakdown',
  title: 'Utilization, cost and waste by group',
  description:
    'How utilized is a namespace, tenant, label, GPU model, pool or node? Answer with its `busy` and coverage, never with 1 − idle: work that is not idle may use 6% of its GPU. Also GPU-hours and dollars of each group over a range, split into used, idle, unallocated, stranded, oversized and broken, to the cent. With `forecast` this month’s cost and budgets. With `within` the workloads of one group. With `tokens` what a million cost.',
  toolset: 'read',
  operations: ['costBreakdown', 'budgetsList', 'costTokens'],
  input: z.strictObject({
    ...CLUSTER,
    ...RANGE,
    by: z.enum(['namespace', 'tenant', 'label', 'model', 'pool', 'node']).default('namespace'),
    label: z.string().max(320).optional().describe('key of the label, with by=label'),
    within: z.string().max(400).optional().describe('id of a group: its workloads instead'),
    forecast: z.boolean().default(false),
    tokens: z.enum(['workload', 'model']).optional(),
    ...rows(25),
  }),
  output: z.object({
    ...ABOUT,
    by: z.string(),
    unit: z.string(),
    total: z.object(AMOUNTS).nullable(),
    groupCount: TOTAL,
    groups: z
      .array(z.object({ id: z.string(), name: z.string(), ...AMOUNTS }))
      .describe(
        'most expensive first; busy: its utilization, of the GPU time it held, null: not measured, not 0; coverage: measured share of that time; capacity = used + idleHeld + unallocated + stranded + oversized + broken; unmeasured is a part of used',
      ),
    rest: z.object({ groups: z.number(), gpuHours: z.number(), usd: z.number().nullable() }).nullable(),
    unpricedGpuHours: AMOUNT,
    budgets: z.array(
      z.object({
        id: z.string(),
        usdPerMonth: z.number(),
        spent: z.number().nullable(),
        share: z.number().nullable(),
        unknownDays: z.number(),
      }),
    ),
    tokens: z.array(z.unknown()),
  }),
  answer: async ({ cluster, range, by, label, within, forecast, tokens: cut, limit }, ask) => {
    const [cost, month, tokens] = await Promise.all([
      ask('costBreakdown', { cluster, range, by, label, within }),
      forecast ? ask('budgetsList', { cluster }) : { budgets: [], says: [] },
      cut === undefined ? { groups: [], says: [] } : ask('costTokens', { cluster, range, by: cut }),
    ])
    const sorted = cost.groups.toSorted((a, b) => amount(b) - amount(a))
    const rest = sorted.slice(limit)
    const about = aboutOf(cost, '/cost', { range, by })
    return {
      ...about,
      says: [...about.says, ...textsOf(month.says), ...textsOf(tokens.says)],
      by: cost.by,
      unit: 'GPU-hours and US dollars over the window',
      total: cost.total,
      groupCount: sorted.length,
      groups: sorted.slice(0, limit).map((group) => ({ ...group, name: nameOf(group) })),
      rest: rest.length === 0 ? null : restOf(rest),
      unpricedGpuHours: cost.unpricedGpuHours,
      budgets: month.budgets.slice(0, 20),
      tokens: tokens.groups.slice(0, limit).map(tokenRow),
    }
  },
})

type TokenGroup = OutputOf<typeof OPERATIONS.costTokens>['groups'][number]

const tokenRow = ({ key, tokens, allocated, idle, usdPerMillion }: TokenGroup) => ({
  key,
  promptTokens: tokens.prompt,
  generationTokens: tokens.generation,
  usd: allocated.usd,
  idleUsd: idle.usd,
  usdPerMillionHeld: usdPerMillion.allocated.total,
  usdPerMillionBusy: usdPerMillion.busy.total,
})

const amount = ({ usd, gpuHours }: Group): number => usd?.capacity ?? gpuHours.capacity

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

const nameOf = ({ key, kind }: Group): string => (kind === 'named' ? key || NAMELESS.none : NAMELESS[kind])
