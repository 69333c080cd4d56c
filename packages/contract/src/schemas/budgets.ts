import { z } from 'zod'

import { answered, ClusterInput, CostPartsSchema, RangeInput, WindowSchema, ZoneSchema } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

export const costDays = operation(ROUTES.costDays, {
  title: 'Cost per day',
  description:
    'GPU-hours and dollars of each day of a window, by what they were spent on; days begin in the time zone, so that one may have 23 or 25 hours. Oversized is inside used: it is known of a whole window only. A day that nobody saw has no amounts, not 0.',
  input: z.strictObject({ ...ClusterInput, ...RangeInput, zone: ZoneSchema }),
  output: named('CostDays', {
    ...answered,
    zone: z.string(),
    days: z.array(
      z.object({
        date: z.iso.date(),
        window: WindowSchema,
        seen: z.number().min(0).max(1).describe('share of the day, as far as it has passed, that was seen'),
        gpuHours: CostPartsSchema.nullable().describe('null when nothing of the day was seen'),
        usd: CostPartsSchema.nullable().describe('null when nothing was seen or no price is known'),
      }),
    ),
    coarse: z.boolean().describe('whether some days are days of UTC, because no hours are kept of that time'),
  }),
})

const BudgetScope = z.enum(['cluster', 'namespace', 'tenant'])
const BudgetFields = {
  cluster: z.string().max(200).describe('cluster id'),
  scope: BudgetScope.describe('all GPUs of the cluster, or what one namespace or tenant held'),
  name: z.string().trim().min(1).max(253).optional().describe('of the namespace or tenant'),
  usdPerMonth: z.number().positive().max(1e12),
  thresholds: z
    .array(z.number().positive().max(1000))
    .min(1)
    .max(10)
    .default([80, 100])
    .describe('shares of it that are told when reached, percent'),
  zone: ZoneSchema,
}
const BudgetId = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/u)

/** What is kept of budgets. */
export const BudgetsSchema = z.object({ budgets: z.array(z.object({ id: BudgetId, ...BudgetFields })).max(1000) })

const ForecastView = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('known'),
      usd: z.number(),
      low: z.number(),
      high: z.number(),
      method: z.enum(['mean', 'weekday']),
      days: z.number().int().describe('known days that it was made from'),
    }),
    z.object({ kind: z.literal('unknown'), because: z.string() }),
  ])
  .describe('of the whole month; in four of five cases it comes to lie between low and high')
  .meta({ id: 'CostForecast' })

const Outlook = {
  month: z.string().describe('2026-11'),
  spent: z.number().nullable().describe('USD of the days that were seen, to now; null where none was'),
  unknownDays: z.number().int().describe('days of the month before today of which too little was seen'),
  forecast: ForecastView,
}

const BudgetView = named('BudgetState', {
  id: z.string(),
  cluster: z.string(),
  scope: BudgetScope,
  name: z.string().nullable(),
  usdPerMonth: z.number(),
  thresholds: z.array(z.number()),
  zone: z.string(),
  ...Outlook,
  share: z.number().nullable().describe('spent of the budget, 1 for all of it; null where that is not known'),
  reached: z.array(z.number()).describe('thresholds that were reached, percent'),
  expectedToReach: z.array(z.number()).describe('thresholds that will be reached by the end of the month'),
  usedUp: z
    .object({ date: z.iso.date(), isOver: z.boolean() })
    .nullable()
    .describe('the day on which all of it was or will be spent, where that is in this month'),
})

export const budgetsList = operation(ROUTES.budgetsList, {
  title: 'Budgets and forecast',
  description:
    'What this month has cost and is expected to cost by its end, with an 80% interval from past errors, and where every budget of the cluster stands. Too little history is said, not guessed over.',
  input: z.strictObject({ ...ClusterInput, zone: ZoneSchema }),
  output: named('BudgetList', {
    ...answered,
    outlook: z.object(Outlook).nullable().describe('of all that the caller may see; null for sample data'),
    budgets: z.array(BudgetView),
  }),
})

const KeptBudget = named('Budget', { id: z.string(), ...BudgetFields })

export const budgetsPut = operation(ROUTES.budgetsPut, {
  title: 'Set a budget',
  description: 'Sets what a month of a cluster, namespace or tenant may cost; setting it again replaces it.',
  input: z.strictObject({ id: BudgetId.describe('name of the budget'), ...BudgetFields }),
  output: KeptBudget,
})

export const budgetsRemove = operation(ROUTES.budgetsRemove, {
  title: 'Remove a budget',
  description: 'Removes a budget; nothing is told about it any more.',
  input: z.strictObject({ id: z.string().describe('name of the budget') }),
  output: named('BudgetRemoved', { removed: z.string() }),
})
