import type { QueryClient } from '@tanstack/react-query'

import type { UrlState } from './address/url-state.ts'
import { answerQuery, type AskState } from './client/use-answer.ts'
import { fleetQuery } from './fleet/fleet-query.ts'

type At = Pick<UrlState, 'cluster' | 'range' | 'zone'>

/** What each screen asks first when nothing is chosen on it, by its path; first-questions.test.tsx opens them all. */
const FIRST = {
  '': ({ cluster, range, zone }: At) => [
    answerQuery('summaryGet', { cluster, range, zone }),
    answerQuery('utilizationTrend', { cluster, range }),
    answerQuery('partitionsList', { cluster, limit: 8 }),
    answerQuery('workloadsList', { cluster, status: 'running', limit: 5 }),
    answerQuery('workloadsList', { cluster, status: 'queued', sort: 'duration', limit: 5 }),
    answerQuery('recommendationsList', { cluster, limit: 3 }),
    answerQuery('costMonths', { cluster }),
    answerQuery('queueWaits', { cluster, range, limit: 1 }),
  ],
  fleet: ({ cluster }: At, queryClient: QueryClient) => [fleetQuery(queryClient, cluster)],
  partitions: ({ cluster }: At) => [answerQuery('partitionsList', { cluster, mig: 'true', limit: 40, offset: 0 })],
  workloads: ({ cluster, range }: At) => [
    answerQuery('workloadsList', { cluster, range, status: 'all', sort: 'idleCost', order: 'down', limit: 300 }),
  ],
  cost: ({ cluster, range, zone }: At) => [
    answerQuery('costBreakdown', { cluster, range, zone, by: 'namespace' }),
    answerQuery('costDays', { cluster, range, zone }),
  ],
  actions: ({ cluster }: At) => [answerQuery('recommendationsList', { cluster, dismissed: 'show', limit: 500 })],
  alerts: ({ cluster }: At) => [answerQuery('alertsList', { cluster, days: '7' })],
}
export const ASKED_AHEAD = Object.keys(FIRST).filter(isAskedAhead)

export function isAskedAhead(path: string): path is keyof typeof FIRST {
  return Object.hasOwn(FIRST, path)
}

/** The queries of a screen, to be asked before it is opened. */
export const firstQueries = (
  path: keyof typeof FIRST,
  at: At,
  queryClient: QueryClient,
): readonly AskState<unknown>[] => FIRST[path](at, queryClient)
