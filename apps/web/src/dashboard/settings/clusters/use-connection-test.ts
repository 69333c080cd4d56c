import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { ask, tell } from '../../../api.ts'
import { wishOf, type ConnectionDraft } from './connection-draft.ts'
import type { Test } from './TestSteps.tsx'

const LOOK_MS = 350

export type ConnectionTest = {
  /** Undefined before the first, and once what was tested has changed. */
  readonly test: Test | undefined
  begin(draft: ConnectionDraft): Promise<void>
  forget(): void
}

/** A connection test that goes on at the server, looked at until it is done. */
export function useConnectionTest(): ConnectionTest {
  const [id, setId] = useState<string>()
  const { data } = useQuery({
    queryKey: ['connectionsTested', id ?? ''],
    queryFn: ({ signal }) => ask('connectionsTested', { id }, signal),
    enabled: id !== undefined,
    refetchInterval: (query) => (query.state.data?.done === true ? false : LOOK_MS),
  })
  return {
    test: id === undefined ? undefined : (data ?? { done: false, steps: [] }),
    begin: async (draft) => setId((await tell('connectionsTest', wishOf(draft))).id),
    forget: () => setId(undefined),
  }
}
