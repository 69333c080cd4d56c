import { z } from 'zod'

import { ABOUT, aboutOf, CLUSTER, FIGURE, figuresOf, RANGE } from '../answer-parts.ts'
import { tool } from '../tool.ts'

const FIGURES = z.record(z.string(), FIGURE)

/** Where people begin: how the fleet is, what it costs and what could be saved. */
export const fleetSummary = tool({
  name: 'fleet_summary',
  title: 'Fleet summary',
  description:
    'How a GPU cluster is doing: health, utilization, MIG efficiency, workloads running and waiting, what it costs and what of that is waste, and what could be saved. Begin here. Lists every cluster that can be asked about. For one workload use explain_workload, for money by team cost_breakdown.',
  toolset: 'read',
  operations: ['clustersList', 'summaryGet'],
  input: z.strictObject({ ...CLUSTER, ...RANGE }),
  output: z.object({
    ...ABOUT,
    clusters: z.array(z.object({ id: z.string(), name: z.string(), kind: z.string(), state: z.string() })),
    health: z.object({ headline: z.string(), problems: z.array(z.string()) }),
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
    const { status, capacity, workloads, utilization, mig, cost, savings } = summary
    return {
      ...aboutOf(summary, '', { range }),
      clusters: clusters.slice(0, 50).map(({ id, name, kind, state }) => ({ id, name, kind, state })),
      health: { headline: status.headline, problems: status.problems.slice(0, 20).map(({ message }) => message) },
      capacity: {
        nodes: capacity.nodes,
        gpus: capacity.gpus,
        readyGpus: capacity.readyGpus,
        sentences: capacity.sentences,
      },
      workloads: {
        running: workloads.running,
        queued: workloads.queued,
        unmetGpuRequests: workloads.unmetGpuRequests,
      },
      utilization: figuresOf({
        busy: utilization.busy,
        busyOfAllocated: utilization.busyOfAllocated,
        allocated: utilization.allocated,
        effective: utilization.effective,
      }),
      mig: figuresOf({
        coverage: mig.coverage,
        allocation: mig.allocation,
        busy: mig.busy,
        fragmentation: mig.fragmentation,
      }),
      cost: figuresOf({
        capacity: cost.capacity,
        used: cost.used,
        notMeasured: cost.unmeasured,
        idleHeld: cost.idleHeld,
        unallocated: cost.unallocated,
        stranded: cost.stranded,
        oversized: cost.oversized,
        broken: cost.broken,
      }),
      savings: figuresOf({
        verifiedOffTheBill: savings.verified,
        verifiedCapacityFreed: savings.freed,
        estimatedOffTheBill: savings.bill,
        estimatedCapacityFreed: savings.capacity,
        wasteUpperBound: savings.waste,
      }),
      notes: summary.notes,
    }
  },
})
