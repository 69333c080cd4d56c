import { completable, type GetPromptResult, type McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

import type { McpParts } from './mcp-parts.ts'
import { clusterIds } from './resources.ts'

/** Questions that people ask again and again, with the order in which to look. */
export function registerPrompts(server: McpServer, { ask }: McpParts): void {
  const cluster = completable(z.string().max(200).describe('cluster id; the first one when left out'), (begun) =>
    clusterIds(ask, begun),
  ).optional()
  const workload = completable(
    z.string().max(600).describe('namespace/Kind/name, or part of its name'),
    async (begun) => {
      const { workloads } = await ask('workloadsList', { status: 'queued', search: begun, limit: 20 })
      return workloads.map(({ id }) => id)
    },
  )
  const namespace = z.string().max(253).optional()
  const range = z.string().max(60).optional().describe('month when left out; or last-month')
  server.registerPrompt('idle_triage', { ...ABOUT.idle, argsSchema: z.object({ cluster, namespace }) }, (given) =>
    asking(
      `Find GPUs that are held and not used${within(given.namespace)}${on(given.cluster)}.`,
      'Call list_workloads with sort idleCost over 7d, then list_recommendations of the kind reclaim-idle.',
      'For the five most expensive say: who holds what since when, how busy it was, what idling cost, and whether Septet recommends something or why not.',
      'Say which figures are not measured. Suggest one first step and name its page. Change nothing.',
    ),
  )
  server.registerPrompt('repartition_review', { ...ABOUT.repartition, argsSchema: z.object({ cluster }) }, (given) =>
    asking(
      `Review the MIG layouts of the GPUs${on(given.cluster)}.`,
      'Call inspect_gpus for nodes that are stranded or have free instances, explain_queue over 7d for work that waits for a shape, and list_recommendations of the kind repartition.',
      'For each proposal: what it would start or free, who is displaced, how long it takes, the bound that says how good it is, and the rollback. Change nothing.',
    ),
  )
  server.registerPrompt('monthly_cost_review', { ...ABOUT.cost, argsSchema: z.object({ cluster, range }) }, (given) =>
    asking(
      `Review the GPU bill${on(given.cluster)} over ${given.range ?? 'month'}.`,
      'Call cost_breakdown by namespace and by model, and savings_and_actions.',
      'Give capacity, used, idle, unallocated, stranded and oversized in dollars, and how busy what was held was, for all and for the five largest teams; savings on the bill and capacity freed apart, each only where it was measured, with its interval; and the forecast of the month (forecast: true).',
      'Say what has no price or was not measured.',
    ),
  )
  server.registerPrompt(
    'why_is_it_pending',
    { ...ABOUT.pending, argsSchema: z.object({ workload, cluster }) },
    (given) =>
      asking(
        `Why does ${given.workload} not start${on(given.cluster)}?`,
        'If that is no id of the form namespace/Kind/name, find it with search.',
        'Call explain_workload, and explain_queue for how long such work waits.',
        'Say the reason in one sentence, then what would start it, cheapest first, and what each of these costs others. Change nothing.',
      ),
  )
}

const ABOUT = {
  idle: {
    title: 'Who holds GPUs and does not use them?',
    description: 'Finds the most expensive idle GPUs, who holds them, and what to do first.',
  },
  repartition: {
    title: 'Do the MIG layouts fit the work?',
    description: 'Reviews MIG layouts against what waits and what is used.',
  },
  cost: {
    title: 'What did the GPUs cost, and what of it was waste?',
    description: 'A month by team, with what was saved and measured.',
  },
  pending: {
    title: 'Why is it pending?',
    description: 'Why a workload does not start, and the cheapest change that would start it.',
  },
} as const

const on = (cluster: string | undefined): string => (cluster === undefined ? '' : ` on the cluster ${cluster}`)
const within = (namespace: string | undefined): string =>
  namespace === undefined ? '' : ` in the namespace ${namespace}`

const asking = (...sentences: readonly string[]): GetPromptResult => ({
  messages: [{ role: 'user', content: { type: 'text', text: sentences.join(' ') } }],
})
