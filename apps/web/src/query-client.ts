import { MINUTE_MS } from '@septet/domain/units'
import { QueryClient } from '@tanstack/react-query'

import { isNotReady, ProblemError } from './api.ts'

/** One cache for the page. What asking again will not mend is not retried. */
export const makeQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        gcTime: 5 * MINUTE_MS,
        staleTime: MINUTE_MS / 4,
        retry: (failures, error) => failures < 3 && !isSettled(error),
        retryDelay: (failures) => Math.min(1000 * 2 ** failures, 30_000),
        // Septet often runs on loopback, where a browser that calls itself offline can still reach it.
        networkMode: 'always',
      },
    },
  })

/** A mistake in the question stays one (4xx); an answer that is not ready yet is asked for at its own pace. */
const isSettled = (error: Error): boolean =>
  isNotReady(error) || (error instanceof ProblemError && error.problem.status < 500)
