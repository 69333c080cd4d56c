import type { OPERATIONS, OperationKey, OutputOf, ProblemDocument } from '@septet/contract'
import type { z } from 'zod'

import { authorizedFetch } from './session/authorized-fetch.ts'

/** What the screens ask, each path written once; api.test.ts holds them against the contract. */
export const PATHS = {
  clustersList: '/api/v1/clusters',
  summaryGet: '/api/v1/summary',
  utilizationTrend: '/api/v1/utilization',
  partitionsList: '/api/v1/partitions',
  partitionsEfficiency: '/api/v1/partitions/efficiency',
  partitionsRoom: '/api/v1/partitions/room',
  fleetMap: '/api/v1/fleet',
  fleetGpu: '/api/v1/fleet/:gpu',
  workloadsList: '/api/v1/workloads',
  workloadsGet: '/api/v1/workload',
  costBreakdown: '/api/v1/cost',
  costDays: '/api/v1/cost/days',
  budgetsList: '/api/v1/budgets',
  pricesUsed: '/api/v1/prices/used',
  pricesList: '/api/v1/prices',
  costMonths: '/api/v1/cost/months',
  recommendationsList: '/api/v1/recommendations',
  recommendationsGet: '/api/v1/recommendations/:id',
  scenariosInput: '/api/v1/scenarios/input',
  scenariosGet: '/api/v1/scenarios/:id',
  modelsList: '/api/v1/gpu-models',
  searchFind: '/api/v1/search',
  reportSchedulesList: '/api/v1/report-schedules',
  alertsList: '/api/v1/alerts',
  alertsPrometheusRule: '/api/v1/alerts/prometheus-rule',
  alertRulesGet: '/api/v1/alert-rules',
  channelsList: '/api/v1/channels',
  deliveriesList: '/api/v1/deliveries',
  sessionMe: '/api/v1/me',
  sessionsList: '/api/v1/sessions',
  membersList: '/api/v1/members',
  tokensList: '/api/v1/tokens',
  auditList: '/api/v1/audit',
  mailsList: '/api/v1/mails',
  connectionsList: '/api/v1/connections',
  connectionsTested: '/api/v1/connections/tests/:id',
  policiesGet: '/api/v1/policies',
  retentionGet: '/api/v1/retention',
  aboutGet: '/api/v1/about',
  tenantsGet: '/api/v1/tenants',
} as const satisfies Partial<Record<OperationKey, string>>

/** What the screens tell the server to do. */
export const COMMANDS = {
  reportSchedulesPut: { method: 'PUT', path: '/api/v1/report-schedules/:id' },
  reportSchedulesRemove: { method: 'DELETE', path: '/api/v1/report-schedules/:id' },
  plansDraft: { method: 'POST', path: '/api/v1/plans/draft' },
  sessionsRevoke: { method: 'DELETE', path: '/api/v1/sessions/:id' },
  alertsAcknowledge: { method: 'PUT', path: '/api/v1/alerts/:id/acknowledgement' },
  alertsSilence: { method: 'PUT', path: '/api/v1/alerts/:id/silence' },
  alertRulesPut: { method: 'PUT', path: '/api/v1/alert-rules' },
  channelsPut: { method: 'PUT', path: '/api/v1/channels/:id' },
  channelsRemove: { method: 'DELETE', path: '/api/v1/channels/:id' },
  channelsTest: { method: 'POST', path: '/api/v1/channels/:id/test' },
  deliveriesRedeliver: { method: 'POST', path: '/api/v1/deliveries/:id/redelivery' },
  membersPut: { method: 'PUT', path: '/api/v1/members/:email' },
  membersRemove: { method: 'DELETE', path: '/api/v1/members/:email' },
  pricesPut: { method: 'PUT', path: '/api/v1/prices/:id' },
  pricesRemove: { method: 'DELETE', path: '/api/v1/prices/:id' },
  budgetsPut: { method: 'PUT', path: '/api/v1/budgets/:id' },
  budgetsRemove: { method: 'DELETE', path: '/api/v1/budgets/:id' },
  tenantsPut: { method: 'PUT', path: '/api/v1/tenants' },
  tokensCreate: { method: 'POST', path: '/api/v1/tokens' },
  recommendationsDismiss: { method: 'PUT', path: '/api/v1/recommendations/:id/dismissal' },
  recommendationsRestore: { method: 'DELETE', path: '/api/v1/recommendations/:id/dismissal' },
  connectionsContexts: { method: 'POST', path: '/api/v1/connections/contexts' },
  connectionsTest: { method: 'POST', path: '/api/v1/connections/tests' },
  connectionsAdd: { method: 'POST', path: '/api/v1/connections' },
  connectionsRename: { method: 'PUT', path: '/api/v1/connections/:id' },
  connectionsRemove: { method: 'POST', path: '/api/v1/connections/:id/removal' },
  tenantsPreview: { method: 'POST', path: '/api/v1/tenants/preview' },
  policiesPut: { method: 'PUT', path: '/api/v1/policies' },
  retentionPut: { method: 'PUT', path: '/api/v1/retention' },
  scenariosStart: { method: 'POST', path: '/api/v1/scenarios' },
  scenariosCancel: { method: 'DELETE', path: '/api/v1/scenarios/:id' },
  tokensRevoke: { method: 'DELETE', path: '/api/v1/tokens/:id' },
} as const satisfies Partial<Record<OperationKey, (typeof OPERATIONS)[OperationKey]['http']>>

/** The whole audit log as lines of JSON; the same as the contract's AUDIT_EXPORT_PATH. */
export const AUDIT_EXPORT = '/api/v1/audit/export'

/** A report as files to keep; the same as the contract's REPORT_FILES_PATH. */
export const REPORT_FILES_PATH = '/api/v1/report/files'

/** Where the server says what changed; the same as the contract's EVENTS_PATH. */
export const EVENTS = '/api/v1/events'

export type Question = keyof typeof PATHS
export type Answer<Q extends Question> = OutputOf<(typeof OPERATIONS)[Q]>
export type Command = keyof typeof COMMANDS
type Outcome<C extends Command> = OutputOf<(typeof OPERATIONS)[C]>
type Order<C extends Command> = z.input<(typeof OPERATIONS)[C]['input']>
export type Input = Readonly<Record<string, string | number | undefined>>

/** The server answered, and said what is wrong and what to do. */
export class ProblemError extends Error {
  readonly problem: ProblemDocument

  constructor(problem: ProblemDocument) {
    super(problem.detail)
    this.name = 'ProblemError'
    this.problem = problem
  }
}

/** The server knows who asks, and they may not. */
export const isNotAllowed = (error: Error | null): boolean =>
  error instanceof ProblemError && error.problem.code === 'not-allowed'

/** The server is up and has nothing to tell yet; it will have soon. */
export const isNotReady = (error: Error | null): boolean =>
  error instanceof ProblemError && error.problem.code === 'not-ready'

/**
 * Asks one operation. Types only come from the contract: the server has already checked the answer against its schema,
 * and the schema library stays out of the bundle. Throws ProblemError for an answer that is a problem, TypeError when
 * nobody answered.
 */
export async function ask<Q extends Question>(question: Q, input: Input, signal?: AbortSignal): Promise<Answer<Q>> {
  const response = await authorizedFetch(address(question, input), {
    headers: { accept: 'application/json' },
    ...(signal === undefined ? {} : { signal }),
  })
  if (!response.ok) throw new ProblemError(await readProblem(response))
  const answer: Answer<Q> = await response.json()
  return answer
}

/** Tells the server to do something. What the path names goes there, the rest into the body, or into the query of a DELETE. Throws as `ask` does. */
export async function tell<C extends Command>(command: C, input: Order<C>): Promise<Outcome<C>> {
  const { method, path } = COMMANDS[command]
  const { filled, rest } = fill(path, input)
  const body = method === 'DELETE' ? {} : { body: JSON.stringify(rest) }
  const response = await authorizedFetch(method === 'DELETE' ? withQuery(filled, rest) : filled, {
    method,
    headers: { accept: 'application/json', ...('body' in body ? { 'content-type': 'application/json' } : {}) },
    ...body,
  })
  if (!response.ok) throw new ProblemError(await readProblem(response))
  const outcome: Outcome<C> = await response.json()
  return outcome
}

/** The server's answer as a file to keep. Throws as `ask` does. */
export async function askFile(path: string): Promise<Blob> {
  const response = await authorizedFetch(path)
  if (!response.ok) throw new ProblemError(await readProblem(response))
  return response.blob()
}

function address(question: Question, input: Input): string {
  const { filled, rest } = fill(PATHS[question], input)
  return withQuery(filled, rest)
}

function withQuery(path: string, rest: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) {
    if (typeof value === 'string' || typeof value === 'number') query.set(name, `${value}`)
  }
  return query.size === 0 ? path : `${path}?${query}`
}

/** The path with what it names in it, escaped, and what is left of the input. */
function fill(path: string, input: object): { readonly filled: string; readonly rest: Record<string, unknown> } {
  const rest: Record<string, unknown> = { ...input }
  const filled = path.replaceAll(/:(\w+)/gu, (_whole, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  return { filled, rest }
}

async function readProblem(response: Response): Promise<ProblemDocument> {
  const body: unknown = await response.json().catch(() => undefined)
  return isProblem(body) ? body : unexplained(response)
}

const isProblem = (body: unknown): body is ProblemDocument =>
  typeof body === 'object' && body !== null && 'detail' in body && 'todo' in body && 'code' in body

/** A proxy in between, say, that answers in its own words. */
const unexplained = (response: Response): ProblemDocument => ({
  type: 'about:blank',
  title: 'Unexpected answer',
  status: response.status,
  code: 'unexpected-answer',
  detail: `${response.url} answered ${response.status} without saying why.`,
  todo: 'Check that the address leads to Septet and not to a proxy in front of it, then try again.',
})
