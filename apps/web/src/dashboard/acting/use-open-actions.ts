import { useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'

import { useAnswer } from '../client/use-answer.ts'
import type { ActionList } from './action-words.ts'

/** Actions that are not over, and whether Septet may act: one question for the banner, the inbox and the cards. */
export const useOpenActions = (cluster: string | undefined): UseQueryResult<ActionList> =>
  useAnswer('actionsList', { cluster, state: 'open', limit: 500 })

/** Asks again for all that speaks of actions: something was decided. */
export function useActionsAnew(): () => Promise<unknown> {
  const queries = useQueryClient()
  return useCallback(
    () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['actionsList'] }),
        queries.invalidateQueries({ queryKey: ['actionsGet'] }),
      ]),
    [queries],
  )
}
