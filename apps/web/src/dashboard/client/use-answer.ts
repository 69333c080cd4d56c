import { usePrefetchQuery, useQuery, type UseQueryResult } from '@tanstack/react-query'

import { ask, isNotReady, type Answer, type Input, type Question } from '../../api.ts'
import { useLive } from './live-context.ts'

const POLL = 30_000
const SOON = 3_000

/**
 * The answer to one operation. While the event stream is up it is asked again when something changed; without the
 * stream, every half minute; while paused or closed, never by itself. On a new range the old answer stays until the new one is
 * there; on another cluster it does not, for it would be somebody else's.
 */
export const useAnswer = <Q extends Question>(question: Q, input: Input): UseQueryResult<Answer<Q>> =>
  useLiveQuery(answerQuery(question, input))

/** A question, by what its answer is kept, and how it is asked. */
export type AskState<A> = {
  readonly queryKey: readonly [Question, Input]
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<A>
  readonly structuralSharing?: boolean
}

/** The same for a question that is asked in a way of its own. */
export function useLiveQuery<A>(asked: AskState<A>): UseQueryResult<A> {
  const { connection, paused, closed } = useLive()
  const still = paused || closed
  const [, { cluster }] = asked.queryKey
  return useQuery<A>({
    ...asked,
    placeholderData: (before, query) => (clusterOf(query?.queryKey[1]) === cluster ? before : undefined),
    refetchOnWindowFocus: !still,
    refetchOnReconnect: !still,
    refetchInterval: ({ state: { error } }) => {
      if (isNotReady(error)) return SOON
      return still || connection === 'connected' ? false : POLL
    },
  })
}

/**
 * Asks before the parts of the screen ask for theirs: a browser keeps few connections to one server, and what all wait
 * for must not wait for one of them.
 */
export const useAskedFirst = (question: Question, input: Input): void => usePrefetchQuery(answerQuery(question, input))

/** How a question is asked, and by what its answer is kept. */
export const answerQuery = <Q extends Question>(question: Q, input: Input) => ({
  queryKey: [question, input] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<Answer<Q>> => ask(question, input, signal),
})

/** The cluster that a query's input names, if any. */
export function clusterOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('cluster' in input)) return undefined
  return typeof input.cluster === 'string' ? input.cluster : undefined
}
