import type { CopilotQuestion } from '@septet/contract/copilot-questions'

import { recommended, saved, savedAndNext, toApprove } from './actions.ts'
import { costliestNamespace, monthForecast } from './costs.ts'
import { busyOver, costThisMonth, idleCost, trendThisWeek, wrongNow } from './figures.ts'
import { faultyGpus, fits, freePartition, strandedCapacity } from './gpus.ts'
import type { Answer } from './reply.ts'
import { queue, waitsAndWhy } from './waits.ts'
import { idleNow, leastUsed, longestWait, mostWaste } from './workloads.ts'

/** How each fixed question is answered. */
export const ANSWERS: Readonly<Record<CopilotQuestion, Answer>> = {
  'saved-and-next': savedAndNext,
  'busy-enough': busyOver('24h'),
  queue,
  'free-partition': freePartition,
  'cost-this-month': costThisMonth,
  'most-waste': mostWaste,
  'waits-and-why': waitsAndWhy,
  'idle-gpus': idleNow,
  'faulty-gpus': faultyGpus,
  'busy-past-week': busyOver('7d'),
  'fits-1g.10gb': fits('1g.10gb'),
  'stranded-capacity': strandedCapacity,
  'nodes-to-repartition': recommended({ kind: 'repartition', most: 10 }),
  'least-used': leastUsed,
  'costliest-namespace': costliestNamespace,
  'idle-cost': idleCost,
  'month-forecast': monthForecast,
  'do-first': recommended({ most: 10 }),
  saved,
  'to-approve': toApprove,
  'wrong-now': wrongNow,
  'largest-saving': recommended({ most: 5, biggest: true }),
  'trend-this-week': trendThisWeek,
  'longest-wait': longestWait,
}
