import { z } from 'zod'

import { ABOUT, aboutOf, AMOUNT, CLUSTER, FIGURE, RANGE, rows, TOTAL } from '../answer-parts.ts'
import { tool } from '../tool.ts'

export const explainQueue = tool({
  name: 'explain_queue',
  title: 'What waits, and why',
  description:
    'What GPU work waited for over a range, by cause (quota, MIG shape, CPU and memory, affinity, …): how long, how many GPU-hours, what these cost, and the cheapest single change that ends each; then what waits longest. For one workload use explain_workload.',
  toolset: 'read',
  operations: ['queueWaits'],
  input: z.strictObject({ ...CLUSTER, ...RANGE, ...rows(15) }),
  output: z.object({
    ...ABOUT,
    hours: FIGURE,
    cost: FIGURE,
    causes: z.array(
      z.object({
        cause: z.string(),
        name: z.string(),
        meaning: z.string(),
        waitedSeconds: z.number(),
        gpuHours: AMOUNT,
        usd: AMOUNT,
        workloads: z.number(),
        waitingNow: z.number(),
        change: z.string().nullable().describe('the cheapest single change; null: none is known'),
      }),
    ),
    total: TOTAL,
    workloads: z.array(
      z.object({
        id: z.string(),
        asks: z.string(),
        waitsNowFor: z.string().nullable(),
        waitedSeconds: z.number(),
        usd: AMOUNT,
      }),
    ),
    note: z.string(),
  }),
  answer: async ({ cluster, range, limit }, ask) => {
    const waits = await ask('queueWaits', { cluster, range, limit })
    return {
      ...aboutOf(waits, '/workloads', { range, view: 'waits' }),
      hours: waits.hours,
      cost: waits.cost,
      causes: waits.causes.map(({ seconds, waiting, change, ...cause }) => ({
        ...cause,
        waitedSeconds: seconds,
        waitingNow: waiting,
        change: change?.sentence ?? null,
      })),
      total: waits.total,
      workloads: waits.workloads.map(({ waitsFor, seconds, ...each }) => ({
        ...each,
        waitsNowFor: waitsFor,
        waitedSeconds: seconds,
      })),
      note: waits.note,
    }
  },
})
