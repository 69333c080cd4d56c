import type { ServerEvent } from '@septet/contract'

import { EVENTS, PATHS } from '../api.ts'
import type { Question } from '../api.ts'
import { authorizedFetch } from '../session/authorized-fetch.ts'
import { followStream } from './follow-stream.ts'
import type { LineState } from './follow-stream.ts'

/** Which events make an answer old. Those that no event speaks of are asked anew by what changes them. */
const OLD_AFTER: Readonly<Record<Question, readonly ServerEvent['kind'][]>> = {
  clustersList: ['analysis', 'inventory', 'connection', 'history'],
  summaryGet: ['analysis', 'connection'],
  utilizationTrend: ['analysis', 'history'],
  partitionsList: ['analysis', 'inventory'],
  partitionsEfficiency: ['analysis', 'inventory'],
  partitionsRoom: ['inventory'],
  fleetMap: ['analysis', 'inventory'],
  fleetGpu: ['analysis', 'inventory'],
  workloadsList: ['analysis', 'inventory'],
  workloadsGet: ['analysis', 'inventory', 'recommendations'],
  costBreakdown: ['analysis'],
  costDays: ['analysis', 'history'],
  budgetsList: ['analysis', 'history'],
  pricesUsed: ['analysis'],
  pricesList: [],
  costMonths: ['analysis', 'history'],
  recommendationsList: ['recommendations'],
  recommendationsGet: ['recommendations'],
  searchFind: [],
  reportSchedulesList: [],
  alertsList: ['alerts'],
  alertsPrometheusRule: [],
  alertRulesGet: [],
  channelsList: [],
  deliveriesList: ['alerts'],
  sessionMe: [],
  sessionsList: [],
  membersList: [],
  tokensList: [],
  auditList: [],
  mailsList: [],
  connectionsList: [],
  connectionsTested: [],
  policiesGet: [],
  retentionGet: [],
  aboutGet: [],
  tenantsGet: [],
  modelsList: [],
  // A scenario is about what was when its builder was opened: it must not change while somebody compares.
  scenariosInput: [],
  scenariosGet: [],
}

const KINDS: ReadonlySet<string> = new Set(Object.values(OLD_AFTER).flat())
const QUESTIONS = Object.keys(PATHS).filter(isQuestion)

/** What became old: these questions, about this cluster (undefined: about any). */
export type Change = { readonly questions: readonly Question[]; readonly cluster: string | undefined }

/** What an event on the wire makes old; undefined for kinds that this version does not know. */
export function changeOf(data: string): Change | undefined {
  const event = parse(data)
  if (event?.kind === 'reset') return { questions: QUESTIONS, cluster: undefined }
  if (event === undefined || !KINDS.has(event.kind)) return undefined
  const questions = QUESTIONS.filter((question) => OLD_AFTER[question].some((kind) => kind === event.kind))
  return { questions, cluster: event.cluster }
}

type Listener = {
  /** The last event that was heard before. */
  readonly after: string | undefined
  /** Told of every event, also of one of a kind that is not known. */
  readonly heard: (id: string) => void
  readonly changed: (change: Change) => void
  readonly connection: (state: LineState) => void
}

/** Listens to the server until the returned function is called; comes back by itself and resumes. */
export const listen = ({ after, heard, changed, connection }: Listener): (() => void) =>
  followStream({
    after,
    open: (lastId, signal) =>
      authorizedFetch(EVENTS, {
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

function isQuestion(name: string): name is Question {
  return Object.hasOwn(PATHS, name)
}
