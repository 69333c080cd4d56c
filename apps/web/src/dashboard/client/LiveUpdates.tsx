import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'

import type { LineState } from './follow-stream.ts'
import { LiveContext } from './live-context.ts'
import { listenToServer, type ServerChange } from './server-events.ts'
import { clusterOf } from './use-answer.ts'

/**
 * Keeps what is on the screen up to date. Paused, it counts what changed and asks for it on resuming. Closed, it hears
 * nothing; opened again it resumes after the last event it heard.
 */
export function LiveUpdates({ children }: { readonly children: ReactNode }) {
  const queryClient = useQueryClient()
  const [connection, setConnection] = useState<LineState>('connecting')
  const [closed, setClosed] = useState(false)
  const [paused, setPausedState] = useState(false)
  const [held, setHeld] = useState<readonly ServerChange[]>([])
  const holds = useRef(false)
  const lastHeard = useRef<string>(undefined)

  useEffect(() => {
    if (closed) return undefined
    return listenToServer({
      after: lastHeard.current,
      heard: (id) => (lastHeard.current = id),
      connection: setConnection,
      changed: (change) => {
        if (holds.current) setHeld((before) => [...before, change].slice(-MOST_HELD))
        else refresh(queryClient, [change])
      },
    })
  }, [queryClient, closed])

  const setPaused = useCallback(
    (next: boolean) => {
      holds.current = next
      setPausedState(next)
      if (next) return
      refresh(queryClient, held)
      setHeld([])
    },
    [queryClient, held],
  )

  const live = useMemo(
    () => ({ connection, closed, setClosed, paused, setPaused, held: held.length }),
    [connection, closed, paused, setPaused, held.length],
  )
  return <LiveContext value={live}>{children}</LiveContext>
}

/** More changes than this are not told apart: they concern the same few questions. */
const MOST_HELD = 1000

/** Asks again only for what changed. A question that names no cluster is about the first one, so it may have changed. */
function refresh(queryClient: QueryClient, changes: readonly ServerChange[]): void {
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
