import { z } from 'zod'

import { answered, ClusterInput, FigureSchema, InstantText } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

export const costMonths = operation(ROUTES.costMonths, {
  title: 'Monthly cost optimization impact',
  description:
    'Per calendar month (UTC), oldest first, at the prices in force: what the capacity cost (baseline), the same without the waste that could be removed (optimized), and the difference (savings). Estimated savings and those verified after applied plans stand apart and are never added. A month that data covers only in part says so; nothing is extrapolated. For a caller who is limited to namespaces it is of what these held.',
  input: z.strictObject({ ...ClusterInput }),
  output: named('CostMonths', {
    ...answered,
    months: z.array(
      z.object({
        month: z.string().describe('2026-08, or the name of a sample month'),
        from: InstantText.nullable().describe('null for a sample month, as to and coverage'),
        to: InstantText.nullable().describe('the end of the month, or now while it goes on'),
        coverage: z.number().min(0).max(1).nullable().describe('share of from to to that usage was seen for'),
        baseline: FigureSchema.describe('what the capacity cost'),
        optimized: FigureSchema.describe('baseline − estimated savings'),
        savings: z.object({
          estimated: FigureSchema.describe('waste that could have been removed; not what was saved'),
          verified: FigureSchema.describe('off the bill, measured after nodes were removed; never added to estimated'),
          freed: FigureSchema.describe('capacity freed for other work, measured after changes were applied'),
        }),
      }),
    ),
    note: z.string().describe('what baseline, optimized and savings mean here, in a sentence'),
  }),
})
