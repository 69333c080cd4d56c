import { z } from 'zod'

import { InstantText } from './figure.ts'

/** How long something takes: a range, and whether it was measured or assumed. */
export const SecondsSchema = z.object({ low: z.number(), high: z.number(), source: z.string() })

/** One step of a plan. */
export const StepSchema = z.object({
  number: z.number().int(),
  title: z.string(),
  notBefore: InstantText.optional().describe('when it is due; left out: right after the step before it'),
  effect: z.string(),
  displaced: z.array(z.string()).describe('pods that stop through this step'),
  seconds: SecondsSchema,
  undo: z.array(z.string()).describe('what takes the step back; empty where nothing can or need be'),
})
