import { z } from 'zod'

import { InstantText, told } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

const StatusLine = named('StatusLine', {
  cluster: z.string().nullable().describe('the cluster it belongs to; null: the server itself'),
  of: z.enum(['loop', 'source']).describe('loop: work that repeats by itself; source: what Septet reads from'),
  name: z.string().describe('the name on /metrics, such as `collect` or `kubernetes`'),
  title: z.string(),
  state: z
    .enum(['ok', 'waiting', 'degraded', 'late', 'failing'])
    .describe(
      'waiting: it has not run yet; degraded: it works, and a part is missing; late: it should have finished by now',
    ),
  since: InstantText.describe('when it entered this state; no earlier than its start'),
  every: z.number().nullable().describe('seconds between two runs; null: it runs when there is something to do'),
  lastOk: InstantText.nullable().describe('when it last succeeded or answered'),
  took: z.number().nullable().describe('seconds that the last run took'),
  failures: z.number().int().describe('in a row'),
  because: z.string().nullable().describe('what failed; null while nothing does'),
  todo: z.string().nullable().describe('what it means and what to do; null while nothing is wrong'),
})

export const statusGet = operation(ROUTES.statusGet, {
  title: 'Status',
  description:
    'Every loop and every source of Septet: whether it works, since when, when it last ran, how long that took, and what failed.',
  input: z.strictObject({}),
  output: named('Status', {
    server: z
      .object({ name: z.string(), role: z.enum(['all', 'answer']), version: z.string(), startedAt: InstantText })
      .describe('which server answers, where several share one database'),
    clusters: z.array(z.object({ id: z.string(), name: z.string() })),
    lines: z.array(StatusLine).describe('of the server first, then by cluster'),
    says: told.says,
  }),
})
