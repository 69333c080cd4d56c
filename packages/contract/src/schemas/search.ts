import { z } from 'zod'

import { answered, ClusterInput } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

export const searchFind = operation(ROUTES.searchFind, {
  title: 'Find a node, GPU, workload or namespace',
  description:
    'Objects of a cluster whose name or id holds every word of the query, best match first: exact, then beginning with it, then holding it. A caller who is limited to namespaces finds what these hold.',
  input: z.strictObject({
    ...ClusterInput,
    query: z.string().trim().min(1).max(253).describe('words or parts of words, in any case'),
    limit: z.coerce.number().int().min(1).max(50).default(12),
  }),
  output: named('SearchResult', {
    ...answered,
    total: z.number().int().describe('how many match, before limit'),
    found: z.array(
      z.object({
        kind: z.enum(['node', 'gpu', 'workload', 'namespace']),
        id: z.string().describe('node or namespace name, GPU id, `namespace/Kind/name` of a workload'),
        name: z.string(),
        detail: z.string().describe('what tells it from others of its name'),
      }),
    ),
  }),
})
