import { EVENTS_PATH, type OperationKey, ROUTES } from '@septet/contract/routes'
import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'

import type { Question } from '../../api.ts'
import { authorizedFetch } from '../../session/authorized-fetch.ts'
import { followStream, type LineState } from './follow-stream.ts'
import { LiveContext } from './live-context.ts'
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
  const [begun] = useState(() => performance.now())

  useEffect(() => {
    if (closed) return undefined
    return listenToServer({
      after: lastHeard.current,
      begun,
      heard: (id) => (lastHeard.current = id),
      connection: setConnection,
      changed: (change) => {
        if (holds.current) setHeld((before) => [...before, change].slice(-MOST_HELD))
        else refresh(queryClient, [change])
      },
    })
  }, [queryClient, closed, begun])

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
  for (const { questions, cluster } of changes) {
    const predicate = ({ queryKey: [question, input] }: Pick<Query, 'queryKey'>): boolean => {
      const asked = clusterOf(input)
      return (
        questions.some((name) => name === question) &&
        (cluster === undefined || asked === undefined || asked === cluster)
      )
    }
    const asking = queryClient.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' })
    const first = asking.filter(({ state }) => state.data === undefined)
    void queryClient.invalidateQueries({ predicate })
    // A first answer that is under way is not asked for again, though it may be from before the change.
    for (const query of first)
      void query.promise?.then(() => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true }), ignore)
  }
}

const ignore = (): void => undefined

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a const object has the keys that its type names
const QUESTIONS = (Object.keys(ROUTES) as OperationKey[]).filter(isQuestion)
const KINDS: ReadonlySet<string> = new Set(QUESTIONS.flatMap((question) => ROUTES[question].staleAfter))

/** What became old: these questions, about this cluster (undefined: about any). */
type ServerChange = { readonly questions: readonly Question[]; readonly cluster: string | undefined }

/** What an event on the wire makes old; undefined for kinds that this version does not know. */
export function changeOf(data: string): ServerChange | undefined {
  const event = parse(data)
  if (event?.kind === 'reset') return { questions: QUESTIONS, cluster: undefined }
  if (event === undefined || !KINDS.has(event.kind)) return undefined
  const questions = QUESTIONS.filter((question) => ROUTES[question].staleAfter.some((kind) => kind === event.kind))
  return { questions, cluster: event.cluster }
}

type Listener = {
  /** The last event that was heard before. */
  readonly after: string | undefined
  /** When the first question may have been asked, as the page's own clock has it. */
  readonly begun: number
  /** Told of every event, also of one of a kind that is not known. */
  readonly heard: (id: string) => void
  readonly changed: (change: ServerChange) => void
  readonly connection: (state: LineState) => void
}

/** Listens to the server until the returned function is called; comes back by itself and resumes. */
const listenToServer = ({ after, begun, heard, changed, connection }: Listener): (() => void) =>
  followStream({
    after,
    open: (lastId, signal) =>
      authorizedFetch(`${EVENTS_PATH}?ago=${Math.ceil(performance.now() - begun)}`, {
        headers: { accept: 'text/event-stream', ...(lastId === undefined ? {} : { 'last-event-id': lastId }) },
        cache: 'no-store',
        signal,
      }),
    event: ({ id, data }) => {
      if (id !== undefined) heard(id)
      const change = changeOf(data)
      if (change !== undefined) changed(change)
    },
    connection,
  })

function parse(data: string): { readonly kind: string; readonly cluster: string | undefined } | undefined {
  try {
    const event: { kind?: unknown; cluster?: unknown } = JSON.parse(data)
    if (typeof event.kind !== 'string') return undefined
    return { kind: event.kind, cluster: typeof event.cluster === 'string' ? event.cluster : undefined }
  } catch {
    return undefined
  }
}

function isQuestion(key: OperationKey): key is Question {
  return ROUTES[key].method === 'GET'
}
