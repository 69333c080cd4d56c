import { z } from 'zod'

import { answered, ClusterInput, CostPartsSchema, RangeInput, WindowSchema, ZoneSchema, told } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { EntryName } from './names.ts'

export const costDays = operation(ROUTES.costDays, {
  title: 'Cost per day',
  description:
    'GPU-hours and dollars for each day of a range, by what they were spent on. Days start in the time zone, so one may have 23 or 25 hours. A day without data has no amounts, not 0.',
  input: z.strictObject({ ...ClusterInput, ...RangeInput, zone: ZoneSchema }),
  output: named('CostDays', {
    ...answered,
    zone: z.string(),
    days: z.array(
      z.object({
        date: z.iso.date(),
        window: WindowSchema,
        seen: z.number().min(0).max(1).describe('share of the day so far that has data'),
        gpuHours: CostPartsSchema.nullable().describe('null if the day has no data'),
        usd: CostPartsSchema.nullable().describe('null if there is no data or no price'),
      }),
    ),
    coarse: z.boolean().describe('whether the edges of some days cut longer rows, whose use is taken to be even'),
  }),
})

const BudgetScope = z.enum(['cluster', 'namespace', 'tenant'])
const BudgetFields = {
  cluster: z.string().max(200).describe('cluster id'),
  scope: BudgetScope.describe('all GPUs of the cluster, or what one namespace or tenant held'),
  name: z.string().trim().min(1).max(253).optional().describe('name of the namespace or tenant'),
  usdPerMonth: z.number().positive().max(1e12),
  thresholds: z
    .array(z.number().positive().max(1000))
    .min(1)
    .max(10)
    .default([80, 100])
    .describe('percentages of the budget at which someone is notified'),
  zone: ZoneSchema,
}

/** What is kept of budgets. */
export const BudgetsSchema = z.object({ budgets: z.array(z.object({ id: EntryName, ...BudgetFields })).max(1000) })

const ForecastView = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('known'),
      usd: z.number(),
      low: z.number(),
      high: z.number(),
      method: z.enum(['mean', 'weekday']),
      days: z.number().int().describe('number of days with data it is based on'),
    }),
    z.object({ kind: z.literal('unknown'), because: z.string() }),
  ])
  .describe('for the whole month; the result falls between low and high four times out of five')
  .meta({ id: 'CostForecast' })

const Outlook = {
  month: z.string().describe('2026-11'),
  spent: z.number().nullable().describe('USD for the days with data so far; null if there are none'),
  unknownDays: z.number().int().describe('earlier days of this month with too little data'),
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
  share: z.number().nullable().describe('share of the budget spent, 1 for all of it; null if unknown'),
  reached: z.array(z.number()).describe('thresholds reached, in percent'),
  expectedToReach: z.array(z.number()).describe('thresholds expected to be reached by the end of the month'),
  usedUp: z
    .object({ date: z.iso.date(), isOver: z.boolean() })
    .nullable()
    .describe('the day the budget is, or will be, used up, if that is this month'),
})

export const budgetsList = operation(ROUTES.budgetsList, {
  title: 'Budgets and forecast',
  description:
    'What this month has cost, what it is expected to cost with an 80% interval from past errors, and the status of each budget. With too little history there is no forecast, and the answer says so.',
  input: z.strictObject({ ...ClusterInput, zone: ZoneSchema }),
  output: named('BudgetList', {
    ...told,
    outlook: z.object(Outlook).nullable().describe('everything the caller may see; null for sample data'),
    budgets: z.array(BudgetView),
  }),
})

const KeptBudget = named('Budget', { id: z.string(), ...BudgetFields })

export const budgetsPut = operation(ROUTES.budgetsPut, {
  title: 'Set a budget',
  description: 'Sets what a cluster, namespace or tenant may cost per month; setting it again replaces it.',
  input: z.strictObject({ id: EntryName.describe('budget ID'), ...BudgetFields }),
  output: KeptBudget,
})

export const budgetsRemove = operation(ROUTES.budgetsRemove, {
  title: 'Remove a budget',
  description: 'Removes a budget; its notifications stop.',
  input: z.strictObject({ id: z.string().describe('budget ID') }),
  output: named('BudgetRemoved', { removed: z.string() }),
})
