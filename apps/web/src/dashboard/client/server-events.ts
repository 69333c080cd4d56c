import { EVENTS_PATH, ROUTES, type OperationKey } from '@septet/contract/routes'

import type { Question } from '../../api.ts'
import { authorizedFetch } from '../../session/authorized-fetch.ts'
import { followStream, type LineState } from './follow-stream.ts'

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a const object has the keys that its type names
const QUESTIONS = (Object.keys(ROUTES) as OperationKey[]).filter(isQuestion)
const KINDS: ReadonlySet<string> = new Set(QUESTIONS.flatMap((question) => ROUTES[question].staleAfter))

/** What became old: these questions, about this cluster (undefined: about any). */
export type ServerChange = { readonly questions: readonly Question[]; readonly cluster: string | undefined }

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
  /** Told of every event, also of one of a kind that is not known. */
  readonly heard: (id: string) => void
  readonly changed: (change: ServerChange) => void
  readonly connection: (state: LineState) => void
}

/** Listens to the server until the returned function is called; comes back by itself and resumes. */
export const listenToServer = ({ after, heard, changed, connection }: Listener): (() => void) =>
  followStream({
    after,
    open: (lastId, signal) =>
      authorizedFetch(EVENTS_PATH, {
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
