import { z } from 'zod'

import { ABOUT, aboutOf, CLUSTER, FIGURES, RANGE } from '../answer-parts.ts'
import { tool } from '../tool.ts'

/** Where people begin: how the fleet is, what it costs and what could be saved. */
export const fleetSummary = tool({
  name: 'fleet_summary',
  title: 'Fleet summary',
  description:
    'How a GPU cluster is doing: health, utilization, MIG efficiency, workloads running and waiting, what it costs and what of that is waste, and what could be saved. Begin here. Lists every cluster that can be asked about. For one workload use explain_workload, for how utilized a namespace, team, model, pool or node is, and its money, cost_breakdown.',
  toolset: 'read',
  operations: ['clustersList', 'summaryGet'],
  input: z.strictObject({ ...CLUSTER, ...RANGE }),
  output: z.object({
    ...ABOUT,
    clusters: z.array(z.object({ id: z.string(), name: z.string(), kind: z.string(), state: z.string() })),
    capacity: z.object({ nodes: z.number(), gpus: z.number(), readyGpus: z.number(), sentences: z.array(z.string()) }),
    workloads: z.object({ running: z.number(), queued: z.number(), unmetGpuRequests: z.number() }),
    utilization: FIGURES,
    mig: FIGURES,
    cost: FIGURES,
    savings: FIGURES,
    notes: z.array(z.string()),
  }),
  answer: async ({ cluster, range }, ask) => {
    const [{ clusters }, summary] = await Promise.all([ask('clustersList', {}), ask('summaryGet', { cluster, range })])
    const { verified, freed, bill, capacity, waste } = summary.savings
    return {
      ...summary,
      ...aboutOf(summary, '', { range }),
      clusters: clusters.slice(0, 50),
      savings: {
        verifiedOffTheBill: verified,
        verifiedCapacityFreed: freed,
        estimatedOffTheBill: bill,
        estimatedCapacityFreed: capacity,
        wasteUpperBound: waste,
      },
    }
  },
})
