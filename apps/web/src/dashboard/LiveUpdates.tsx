import { useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'

import { LiveContext } from './live-context.ts'
import type { Connection } from './live-context.ts'
import { listen } from './server-events.ts'
import type { Change } from './server-events.ts'
import { clusterOf } from './use-answer.ts'

/** Keeps what is on the screen up to date. Paused, it remembers what changed and asks for it on resuming. */
export function LiveUpdates({ children }: { readonly children: ReactNode }) {
  const queryClient = useQueryClient()
  const [connection, setConnection] = useState<Connection>('connecting')
  const [paused, setPausedState] = useState(false)
  const held = useRef<Change[]>([])
  const holds = useRef(false)

  useEffect(
    () =>
      listen({
        connection: setConnection,
        changed: (change) => {
          if (holds.current) held.current.push(change)
          else refresh(queryClient, [change])
        },
      }),
    [queryClient],
  )

  const setPaused = useCallback(
    (next: boolean) => {
      holds.current = next
      setPausedState(next)
      if (!next) refresh(queryClient, held.current.splice(0))
    },
    [queryClient],
  )

  const live = useMemo(() => ({ connection, paused, setPaused }), [connection, paused, setPaused])
  return <LiveContext value={live}>{children}</LiveContext>
}

/** Asks again only for what changed. A question that names no cluster is about the first one, so it may have changed. */
function refresh(queryClient: QueryClient, changes: readonly Change[]): void {
  for (const { questions, cluster } of changes)
    void queryClient.invalidateQueries({
      predicate: ({ queryKey: [question, input] }) => {
        const asked = clusterOf(input)
        return (
          questions.some((name) => name === question) &&
          (cluster === undefined || asked === undefined || asked === cluster)
        )
      },
    })
}
