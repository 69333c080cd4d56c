import { z } from 'zod'

import { ABOUT, aboutOf, CLUSTER, rows, TOTAL } from '../answer-parts.ts'
import { tool } from '../tool.ts'

export const search = tool({
  name: 'search',
  title: 'Find a node, GPU, workload or namespace',
  description:
    'Finds nodes, GPUs, workloads and namespaces by words or parts of their name or id; gives the ids that other tools take.',
  toolset: 'read',
  operations: ['searchFind'],
  input: z.strictObject({ ...CLUSTER, query: z.string().trim().min(1).max(253), ...rows(12, 50) }),
  output: z.object({
    ...ABOUT,
    total: TOTAL,
    found: z.array(z.object({ kind: z.string(), id: z.string(), name: z.string(), detail: z.string() })),
  }),
  answer: async ({ cluster, query, limit }, ask) => {
    const result = await ask('searchFind', { cluster, query, limit })
    return { ...aboutOf(result, ''), total: result.total, found: result.found }
  },
})
