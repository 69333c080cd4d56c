import { COST_PARTS } from '@septet/domain'
import { z } from 'zod'

import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { answered, ClusterInput, InstantText, RangeInput, ZoneSchema } from './figure.ts'

/** One part of what a namespace, or nobody, held of one kind of GPU in one hour or day. */
const LedgerLine = named('LedgerLine', {
  from: InstantText,
  to: InstantText.describe('an hour or a day later; less where the range or a month begins or ends within it'),
  namespace: z.string().describe('empty: no pod held it, or its holder is unknown'),
  model: z.string(),
  pool: z.string(),
  instanceType: z.string(),
  region: z.string(),
  capacity: z.string().describe('on-demand, spot or reserved; empty if no label says'),
  part: z.enum(COST_PARTS),
  gpuHours: z.number(),
  usdPerGpuHour: z.number().nullable().describe('the price in force then; null if there is none'),
  usd: z.number().nullable(),
})

export const costLedger = operation(ROUTES.costLedger, {
  title: 'Ledger of GPU time and money',
  description:
    'What each namespace held of each kind of GPU in each hour or day, and what no pod held, by part of cost, at the price in force then. The lines add up to the cost of the same range on every other face. FOCUS files are made from them. For a caller limited to namespaces they cover what these held.',
  input: z.strictObject({
    ...ClusterInput,
    ...RangeInput,
    zone: ZoneSchema,
    step: z.enum(['hour', 'day']).default('hour').describe('days start in the time zone'),
  }),
  output: named('CostLedger', { ...answered, step: z.enum(['hour', 'day']), lines: z.array(LedgerLine) }),
})
