import { z } from 'zod'

import { answered, ClusterInput, FigureSchema, InstantText } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

export const costMonths = operation(ROUTES.costMonths, {
  title: 'Monthly cost optimization impact',
  description:
    'Per calendar month (UTC), oldest first, at the prices of the time: what the capacity cost (baseline), the same without removable waste (optimized), and the difference (savings). Estimated savings and savings verified after applied plans are separate and never added up. A month with partial data is marked; nothing is extrapolated. For a caller limited to namespaces it covers what their namespaces held.',
  input: z.strictObject({ ...ClusterInput }),
  output: named('CostMonths', {
    ...answered,
    months: z.array(
      z.object({
        month: z.string().describe('2026-08, or the name of a sample month'),
        from: InstantText.nullable().describe('null for a sample month, like to and coverage'),
        to: InstantText.nullable().describe('end of the month, or when it was last read if it is not over'),
        coverage: z
          .number()
          .min(0)
          .max(1)
          .nullable()
          .describe('share of the time between from and to that has usage data'),
        baseline: FigureSchema.describe('what the capacity cost'),
        optimized: FigureSchema.describe('baseline − estimated savings'),
        sealed: z
          .object({
            at: InstantText,
            usd: z.number().describe('what the capacity cost when the month was sealed'),
            digest: z.string().describe('SHA-256 of the month’s ledger lines by day, as they are now'),
            corrections: z
              .array(z.object({ at: InstantText, reason: z.string(), gpuHours: z.number(), usd: z.number() }))
              .describe('what was learned after that, oldest first: by how much it changed the capacity'),
            says: z.string().nullable().describe('the corrections in sentences; null while there is none'),
          })
          .nullable()
          .describe('null while the month is not over, and for a caller limited to namespaces'),
        savings: z.object({
          estimated: FigureSchema.describe('waste that could have been removed; not what was saved'),
          verified: FigureSchema.describe('off the bill, measured after nodes were removed; never added to estimated'),
          freed: FigureSchema.describe('capacity freed for other work, measured after changes were applied'),
        }),
      }),
    ),
    note: z.string().describe('what baseline, optimized and savings mean here, in one sentence'),
  }),
})
