import { z } from 'zod'

import { InstantText, ProblemSchema, SourceSchema } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

export const ClusterViewSchema = SourceSchema.extend({
  state: z.enum(['connecting', 'connected', 'disconnected', 'not-live']),
  lastContact: InstantText.nullable(),
  asOf: InstantText.nullable().describe(
    'when the newest data was read; null for sample data or before the first reading',
  ),
  serverVersion: z.string().nullable(),
  nodes: z.number().int().nullable(),
  gpus: z.number().int().nullable(),
  history: z
    .object({ done: z.number().int(), of: z.number().int(), detail: z.string() })
    .nullable()
    .describe('progress of importing past usage; null when there is nothing to import'),
  problems: z.array(ProblemSchema),
}).meta({ id: 'Cluster' })

export const clustersList = operation(ROUTES.clustersList, {
  title: 'List clusters',
  description: 'Every source you can query: connected clusters, the demo cluster, and the fixed sample data.',
  input: z.strictObject({}),
  output: named('ClusterList', { clusters: z.array(ClusterViewSchema) }),
})
