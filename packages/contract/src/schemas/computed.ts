import { z } from 'zod'

import { named } from '../named.ts'
import { InstantText } from './figure.ts'

/** How far something is that is computed in the background, and what came of it. */
export const computed = <Result extends z.ZodType>(name: string, result: Result, done: string) =>
  named(name, {
    id: z.string(),
    state: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
    ahead: z.number().int().describe('how many are ahead of it in the queue'),
    done: z.number().describe(done),
    of: z.number(),
    askedAt: InstantText,
    problem: z.string().nullable().describe('why it failed, and what to do'),
    result: result.nullable().describe('null until it is done'),
  })
