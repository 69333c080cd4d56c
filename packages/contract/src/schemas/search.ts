import { z } from 'zod'

import { answered, ClusterInput } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

export const searchFind = operation(ROUTES.searchFind, {
  title: 'Find a node, GPU, workload or namespace',
  description:
    'Objects in a cluster whose name or ID contains every word of the query, best match first: exact, then prefix, then anywhere. A caller limited to namespaces finds what their namespaces hold.',
  input: z.strictObject({
    ...ClusterInput,
    query: z.string().trim().min(1).max(253).describe('words or parts of words, case-insensitive'),
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
        detail: z.string().describe('what tells it apart from others with the same name'),
      }),
    ),
  }),
})
