import type { ServerEvent } from '@septet/contract'

import { EVENTS } from '../api.ts'
import type { Question } from '../api.ts'
import { authorizedFetch } from '../session/authorized-fetch.ts'
import { followStream } from './follow-stream.ts'
import type { Connection } from './live-context.ts'

/** Which answers an event makes old. */
const CHANGES = {
  analysis: ['summaryGet', 'utilizationTrend', 'partitionsList', 'workloadsList', 'costBreakdown'],
  recommendations: ['recommendationsList'],
  inventory: ['partitionsList', 'workloadsList', 'clustersList'],
  connection: ['clustersList', 'summaryGet'],
  history: ['clustersList', 'utilizationTrend'],
  reset: [
    'clustersList',
    'summaryGet',
    'utilizationTrend',
    'partitionsList',
    'workloadsList',
    'costBreakdown',
    'recommendationsList',
  ],
} satisfies Record<ServerEvent['kind'], readonly Question[]>

/** What became old: these questions, about this cluster (undefined: about any). */
export type Change = { readonly questions: readonly Question[]; readonly cluster: string | undefined }

/** What an event on the wire makes old; undefined for kinds that this version does not know. */
export function changeOf(data: string): Change | undefined {
  const event = parse(data)
  if (event === undefined || !isKind(event.kind)) return undefined
  return { questions: CHANGES[event.kind], cluster: event.cluster }
}

type Listener = {
  readonly changed: (change: Change) => void
  readonly connection: (connection: Connection) => void
}

/** Listens to the server until the returned function is called; comes back by itself and resumes. */
export const listen = ({ changed, connection }: Listener): (() => void) =>
  followStream({
    open: (lastId, signal) =>
      authorizedFetch(EVENTS, {
        headers: { accept: 'text/event-stream', ...(lastId === undefined ? {} : { 'last-event-id': lastId }) },
        cache: 'no-store',
        signal,
      }),
    event: ({ data }) => {
      const change = changeOf(data)
      if (change !== undefined) changed(change)
    },
    connection,
  })

const isKind = (kind: string): kind is ServerEvent['kind'] => Object.hasOwn(CHANGES, kind)

function parse(data: string): { readonly kind: string; readonly cluster: string | undefined } | undefined {
  try {
    const event: { kind?: unknown; cluster?: unknown } = JSON.parse(data)
    if (typeof event.kind !== 'string') return undefined
    return { kind: event.kind, cluster: typeof event.cluster === 'string' ? event.cluster : undefined }
  } catch {
    return undefined
  }
}
