import { z } from 'zod'

import { InstantText } from './figure.ts'

/** How long something takes: a range, and whether it was measured or assumed. */
export const SecondsSchema = z.object({ low: z.number(), high: z.number(), source: z.string() })

/** One step of a plan. */
export const StepSchema = z.object({
  number: z.number().int(),
  title: z.string(),
  notBefore: InstantText.optional().describe('when it is due; left out: right after the previous step'),
  effect: z.string(),
  changes: z.array(z.string()).optional().describe('what each GPU becomes, where the step changes any'),
  displaced: z.array(z.string()).describe('pods stopped by this step'),
  seconds: SecondsSchema,
  undo: z.array(z.string()).describe('how the step is undone; empty if it cannot or need not be'),
})
