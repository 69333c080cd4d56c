import type { Role } from '@septet/domain'

/** What asking does: only read, record a wish, or change a cluster. */
type Effect = 'read' | 'propose' | 'act'

/** What an event of the server can be about; `events.ts` says what each carries. */
export type EventKind =
  | 'analysis'
  | 'recommendations'
  | 'alerts'
  | 'actions'
  | 'inventory'
  | 'connection'
  | 'history'
  | 'agents'
  | 'reset'

/** How one operation is reached and by whom: plain data, so that the page knows it without the schema library. */
export type Route = {
  /** `subject.verb`, stable: the MCP tool's and the CLI's name. */
  readonly name: string
  readonly method: 'GET' | 'PUT' | 'DELETE' | 'POST'
  readonly path: string
  /** What a caller must be, at least, to ask. */
  readonly role: Role
  /**
   * What of it is for whom: `namespaces` answers a caller who is limited to some namespaces with theirs alone;
   * `everyone` holds nothing of any namespace; `cluster` speaks of a whole cluster and is refused to such a caller;
   * `installation` speaks of all of Septet and is refused also to one who is limited to some clusters.
   */
  readonly reach: 'namespaces' | 'everyone' | 'cluster' | 'installation'
  readonly effect: Effect
  /** Events that make an answer old. What no event speaks of is asked again by what changes it. */
  readonly staleAfter?: readonly EventKind[]
  /** Inputs that are secrets: nothing of them is written down. */
  readonly secrets?: readonly string[]
}

/** Most questions are about what a cluster holds, for everyone who may look at it. */
const asks = (name: string, path: string, staleAfter: readonly EventKind[]) =>
  ({ name, method: 'GET', path, role: 'viewer', reach: 'namespaces', effect: 'read', staleAfter }) as const

/** Most commands change what holds for the whole installation. */
const tells = <Method extends 'PUT' | 'DELETE' | 'POST'>(name: string, method: Method, path: string) =>
  ({ name, method, path, role: 'admin', reach: 'installation', effect: 'propose' }) as const

const METRICS_SECRETS = [
  'prometheusToken',
  'prometheusPassword',
  'prometheusHeaders',
  'prometheusAwsSecret',
  'prometheusKey',
] as const
const CONNECTION_SECRETS = ['kubeconfig', ...METRICS_SECRETS] as const

/** The one list. What is added here, with its schemas and its answer, appears in every face at once. */
export const ROUTES = {
  clustersList: {
    ...asks('clusters.list', '/api/v1/clusters', ['analysis', 'inventory', 'connection', 'history']),
    reach: 'everyone',
  },
  clustersTotals: asks('clusters.totals', '/api/v1/totals', ['analysis', 'connection', 'recommendations']),
  recommendationsTotals: asks('recommendations.totals', '/api/v1/totals/recommendations', ['recommendations']),
  summaryGet: asks('summary.get', '/api/v1/summary', ['analysis', 'connection']),
  utilizationTrend: asks('utilization.trend', '/api/v1/utilization', ['analysis', 'history']),
  partitionsList: asks('partitions.list', '/api/v1/partitions', ['analysis', 'inventory']),
  fleetMap: asks('fleet.map', '/api/v1/fleet', ['analysis', 'inventory']),
  fleetGpu: asks('fleet.gpu', '/api/v1/fleet/:gpu', ['analysis', 'inventory']),
  fleetBroken: asks('fleet.broken', '/api/v1/broken-gpus', ['analysis', 'inventory']),
  partitionsEfficiency: asks('partitions.efficiency', '/api/v1/partitions/efficiency', ['analysis', 'inventory']),
  partitionsRoom: asks('partitions.room', '/api/v1/partitions/room', ['inventory']),
  plansMake: { ...tells('plans.make', 'POST', '/api/v1/plans'), role: 'viewer', reach: 'cluster', effect: 'read' },
  plansGet: { ...asks('plans.get', '/api/v1/plans/:id', []), reach: 'cluster' },
  plansCancel: {
    ...tells('plans.cancel', 'DELETE', '/api/v1/plans/:id'),
    role: 'viewer',
    reach: 'cluster',
    effect: 'read',
  },
  startsCheck: {
    ...tells('starts.check', 'POST', '/api/v1/starts'),
    role: 'viewer',
    reach: 'namespaces',
    effect: 'read',
  },
  workloadsList: asks('workloads.list', '/api/v1/workloads', ['analysis', 'inventory']),
  workloadsGet: asks('workloads.get', '/api/v1/workload', ['analysis', 'inventory', 'recommendations']),
  queueWaits: asks('queue.waits', '/api/v1/waits', ['analysis']),
  costBreakdown: asks('cost.breakdown', '/api/v1/cost', ['analysis']),
  costTokens: asks('cost.tokens', '/api/v1/cost/tokens', ['analysis']),
  costMonths: asks('cost.months', '/api/v1/cost/months', ['analysis', 'history']),
  findingsList: asks('findings.list', '/api/v1/findings', ['analysis']),
  recommendationsList: asks('recommendations.list', '/api/v1/recommendations', ['recommendations']),
  recommendationsGet: asks('recommendations.get', '/api/v1/recommendations/:id', ['recommendations']),
  recommendationsDismiss: {
    ...tells('recommendations.dismiss', 'PUT', '/api/v1/recommendations/:id/dismissal'),
    role: 'operator',
    reach: 'namespaces',
  },
  recommendationsRestore: {
    ...tells('recommendations.restore', 'DELETE', '/api/v1/recommendations/:id/dismissal'),
    role: 'operator',
    reach: 'namespaces',
  },
  actionsList: { ...asks('actions.list', '/api/v1/actions', ['actions', 'connection']), reach: 'cluster' },
  actionsGet: {
    ...asks('actions.get', '/api/v1/actions/:id', ['actions', 'inventory', 'connection']),
    reach: 'cluster',
  },
  actionsFiles: { ...asks('actions.files', '/api/v1/actions/:id/files', ['actions']), reach: 'cluster' },
  actionsPropose: {
    ...tells('actions.propose', 'POST', '/api/v1/actions'),
    role: 'operator',
    reach: 'cluster',
  },
  appointmentsPropose: {
    ...tells('appointments.propose', 'POST', '/api/v1/actions/appointment'),
    role: 'operator',
    reach: 'cluster',
  },
  actionsApprove: {
    ...tells('actions.approve', 'PUT', '/api/v1/actions/:id/approval'),
    role: 'operator',
    reach: 'cluster',
    effect: 'act',
  },
  actionsReject: {
    ...tells('actions.reject', 'PUT', '/api/v1/actions/:id/rejection'),
    role: 'operator',
    reach: 'cluster',
  },
  actionsUndo: {
    ...tells('actions.undo', 'PUT', '/api/v1/actions/:id/undo'),
    role: 'operator',
    reach: 'cluster',
    effect: 'act',
  },
  savingsList: { ...asks('savings.list', '/api/v1/savings', ['actions', 'history']), reach: 'cluster' },
  // A replay is of hours that are over: nothing that happens now makes it old, but another policy does.
  shadowGet: { ...asks('shadow.get', '/api/v1/shadow', ['actions']), reach: 'cluster' },
  actPoliciesGet: { ...asks('actPolicies.get', '/api/v1/act-policy', ['actions']), reach: 'cluster' },
  actPoliciesPut: { ...tells('actPolicies.put', 'PUT', '/api/v1/act-policy'), reach: 'cluster' },
  admissionList: asks('admission.list', '/api/v1/admission', ['analysis']),
  admissionSetup: {
    ...asks('admission.setup', '/api/v1/admission/setup', []),
    role: 'admin',
    reach: 'cluster',
  },
  demoFaultsList: {
    ...asks('demoFaults.list', '/api/v1/demo/faults', ['actions']),
    role: 'operator',
    reach: 'cluster',
  },
  demoFaultsAdd: { ...tells('demoFaults.add', 'POST', '/api/v1/demo/faults'), role: 'operator', reach: 'cluster' },
  demoFaultsRemove: {
    ...tells('demoFaults.remove', 'DELETE', '/api/v1/demo/faults/:id'),
    role: 'operator',
    reach: 'cluster',
  },
  actingStop: { ...tells('acting.stop', 'PUT', '/api/v1/acting/stop'), role: 'operator', reach: 'cluster' },
  actingResume: {
    ...tells('acting.resume', 'DELETE', '/api/v1/acting/stop'),
    reach: 'cluster',
    effect: 'act',
  },
  qualityGet: asks('quality.get', '/api/v1/quality', ['analysis', 'inventory']),
  costDays: asks('cost.days', '/api/v1/cost/days', ['analysis', 'history']),
  costLedger: asks('cost.ledger', '/api/v1/cost/ledger', ['analysis', 'history']),
  budgetsList: asks('budgets.list', '/api/v1/budgets', ['analysis', 'history']),
  budgetsPut: tells('budgets.put', 'PUT', '/api/v1/budgets/:id'),
  budgetsRemove: tells('budgets.remove', 'DELETE', '/api/v1/budgets/:id'),
  pricesUsed: asks('prices.used', '/api/v1/prices/used', ['analysis']),
  openCostCompare: { ...asks('openCost.compare', '/api/v1/opencost', []), role: 'operator', reach: 'cluster' },
  openCostPut: tells('openCost.put', 'PUT', '/api/v1/opencost/:id'),
  pricesList: { ...asks('prices.list', '/api/v1/prices', []), reach: 'everyone' },
  pricesPut: tells('prices.put', 'PUT', '/api/v1/prices/:id'),
  pricesRemove: tells('prices.remove', 'DELETE', '/api/v1/prices/:id'),
  modelsList: { ...asks('models.list', '/api/v1/gpu-models', []), reach: 'everyone' },
  tenantsGet: { ...asks('tenants.get', '/api/v1/tenants', []), role: 'admin', reach: 'installation' },
  tenantsPut: tells('tenants.put', 'PUT', '/api/v1/tenants'),
  tenantsExport: tells('tenants.export', 'POST', '/api/v1/tenants/export'),
  // A scenario is about what was when its builder was opened: it must not change while somebody compares.
  scenariosInput: { ...asks('scenarios.input', '/api/v1/scenarios/input', []), reach: 'cluster' },
  scenariosStart: {
    ...tells('scenarios.start', 'POST', '/api/v1/scenarios'),
    role: 'viewer',
    reach: 'cluster',
    effect: 'read',
  },
  scenariosGet: { ...asks('scenarios.get', '/api/v1/scenarios/:id', []), reach: 'cluster' },
  scenariosCancel: {
    ...tells('scenarios.cancel', 'DELETE', '/api/v1/scenarios/:id'),
    role: 'viewer',
    reach: 'cluster',
    effect: 'read',
  },
  searchFind: asks('search.find', '/api/v1/search', []),
  reportGet: asks('report.get', '/api/v1/report', ['analysis', 'history', 'recommendations']),
  reportSchedulesList: {
    ...asks('reportSchedules.list', '/api/v1/report-schedules', []),
    role: 'admin',
    reach: 'installation',
  },
  reportSchedulesPut: tells('reportSchedules.put', 'PUT', '/api/v1/report-schedules/:id'),
  reportSchedulesRemove: tells('reportSchedules.remove', 'DELETE', '/api/v1/report-schedules/:id'),
  sessionMe: { ...asks('session.me', '/api/v1/me', []), reach: 'everyone' },
  sessionsList: { ...asks('sessions.list', '/api/v1/sessions', []), reach: 'everyone' },
  sessionsRevoke: { ...tells('sessions.revoke', 'DELETE', '/api/v1/sessions/:id'), role: 'viewer', reach: 'everyone' },
  signingKeysRotate: tells('signingKeys.rotate', 'POST', '/api/v1/signing-keys'),
  membersList: { ...asks('members.list', '/api/v1/members', []), role: 'admin', reach: 'installation' },
  membersPut: tells('members.put', 'PUT', '/api/v1/members/:email'),
  membersRemove: tells('members.remove', 'DELETE', '/api/v1/members/:email'),
  tokensList: { ...asks('tokens.list', '/api/v1/tokens', []), reach: 'everyone' },
  tokensCreate: { ...tells('tokens.create', 'POST', '/api/v1/tokens'), role: 'viewer', reach: 'everyone' },
  tokensRevoke: { ...tells('tokens.revoke', 'DELETE', '/api/v1/tokens/:id'), role: 'viewer', reach: 'everyone' },
  // What waits under a code is for the person it was shown to: no list, and nothing for visitors or tokens.
  loginsGet: { ...asks('logins.get', '/api/v1/logins/:code', []), reach: 'everyone', secrets: ['code'] },
  loginsAllow: {
    ...tells('logins.allow', 'PUT', '/api/v1/logins/:code/approval'),
    role: 'viewer',
    reach: 'everyone',
    secrets: ['code'],
  },
  loginsDeny: {
    ...tells('logins.deny', 'PUT', '/api/v1/logins/:code/denial'),
    role: 'viewer',
    reach: 'everyone',
    secrets: ['code'],
  },
  alertsList: asks('alerts.list', '/api/v1/alerts', ['alerts']),
  alertsAcknowledge: {
    ...tells('alerts.acknowledge', 'PUT', '/api/v1/alerts/:id/acknowledgement'),
    role: 'operator',
    reach: 'namespaces',
  },
  alertsSilence: {
    ...tells('alerts.silence', 'PUT', '/api/v1/alerts/:id/silence'),
    role: 'operator',
    reach: 'namespaces',
  },
  alertsPrometheusRule: {
    ...asks('alerts.prometheusRule', '/api/v1/alerts/prometheus-rule', []),
    role: 'operator',
    reach: 'installation',
  },
  alertRulesGet: { ...asks('alertRules.get', '/api/v1/alert-rules', []), role: 'operator', reach: 'installation' },
  alertRulesPut: tells('alertRules.put', 'PUT', '/api/v1/alert-rules'),
  channelsList: { ...asks('channels.list', '/api/v1/channels', []), role: 'admin', reach: 'installation' },
  // A Slack address is a password: whoever has it can write.
  channelsPut: { ...tells('channels.put', 'PUT', '/api/v1/channels/:id'), secrets: ['target'] },
  channelsRemove: tells('channels.remove', 'DELETE', '/api/v1/channels/:id'),
  channelsTest: tells('channels.test', 'POST', '/api/v1/channels/:id/test'),
  deliveriesList: {
    ...asks('deliveries.list', '/api/v1/deliveries', ['alerts']),
    role: 'admin',
    reach: 'installation',
  },
  deliveriesRedeliver: tells('deliveries.redeliver', 'POST', '/api/v1/deliveries/:id/redelivery'),
  auditList: { ...asks('audit.list', '/api/v1/audit', []), role: 'admin', reach: 'installation' },
  personExport: tells('person.export', 'POST', '/api/v1/people/export'),
  // What is written down of it must not be what it deletes.
  personForget: { ...tells('person.forget', 'POST', '/api/v1/people/removal'), secrets: ['person', 'confirm'] },
  mailsList: { ...asks('mails.list', '/api/v1/mails', []), role: 'admin', reach: 'installation' },
  connectionsList: { ...asks('connections.list', '/api/v1/connections', []), role: 'admin', reach: 'installation' },
  connectionsContexts: {
    ...tells('connections.contexts', 'POST', '/api/v1/connections/contexts'),
    effect: 'read',
    secrets: CONNECTION_SECRETS,
  },
  connectionsTest: { ...tells('connections.test', 'POST', '/api/v1/connections/tests'), secrets: CONNECTION_SECRETS },
  connectionsTested: {
    ...asks('connections.tested', '/api/v1/connections/tests/:id', []),
    role: 'admin',
    reach: 'installation',
  },
  connectionsAdd: { ...tells('connections.add', 'POST', '/api/v1/connections'), secrets: CONNECTION_SECRETS },
  connectionsRename: tells('connections.rename', 'PUT', '/api/v1/connections/:id'),
  connectionsMetrics: {
    ...tells('connections.metrics', 'PUT', '/api/v1/connections/:id/metrics'),
    secrets: METRICS_SECRETS,
  },
  connectionsActor: {
    ...tells('connections.actor', 'PUT', '/api/v1/connections/:id/actor'),
    secrets: CONNECTION_SECRETS,
  },
  connectionsRotate: tells('connections.rotate', 'POST', '/api/v1/connections/:id/agent-token'),
  connectionsRemove: tells('connections.remove', 'POST', '/api/v1/connections/:id/removal'),
  policiesGet: { ...asks('policies.get', '/api/v1/policies', []), reach: 'everyone' },
  policiesPut: tells('policies.put', 'PUT', '/api/v1/policies'),
  retentionGet: { ...asks('retention.get', '/api/v1/retention', []), role: 'operator', reach: 'installation' },
  retentionPut: tells('retention.put', 'PUT', '/api/v1/retention'),
  agentsGet: { ...asks('agents.get', '/api/v1/agents', []), reach: 'everyone' },
  agentsPut: tells('agents.put', 'PUT', '/api/v1/agents'),
  agentsCalls: { ...asks('agents.calls', '/api/v1/agents/calls', ['agents']), reach: 'everyone' },
  copilotAsk: {
    ...tells('copilot.ask', 'POST', '/api/v1/copilot'),
    role: 'viewer',
    reach: 'namespaces',
    effect: 'read',
  },
  queryAsk: asks('query.ask', '/api/v1/query', ['analysis', 'inventory', 'recommendations', 'actions']),
  copilotHistory: { ...asks('copilot.history', '/api/v1/copilot/history', []), reach: 'everyone' },
  copilotForget: {
    ...tells('copilot.forget', 'DELETE', '/api/v1/copilot/history'),
    role: 'viewer',
    reach: 'everyone',
  },
  statusGet: {
    ...asks('status.get', '/api/v1/status', ['analysis', 'connection', 'history']),
    role: 'operator',
    reach: 'installation',
  },
  aboutGet: { ...asks('about.get', '/api/v1/about', []), reach: 'everyone' },
  tenantsPreview: { ...tells('tenants.preview', 'POST', '/api/v1/tenants/preview'), effect: 'read' },
} as const satisfies Record<string, Route>

export type OperationKey = keyof typeof ROUTES

/** What a list of workloads can be sorted by. */
export const WORKLOAD_SORTS = [
  'name',
  'namespace',
  'tenant',
  'class',
  'holds',
  'busy',
  'hours',
  'idleHours',
  'cost',
  'idleCost',
  'duration',
] as const

/** Asks the co-pilot as `copilot.ask` does, and gives its sentences as server-sent events as they are checked. */
export const COPILOT_STREAM_PATH = '/api/v1/copilot/stream'

/** Where the server says what changed, as it changes. */
export const EVENTS_PATH = '/api/v1/events'
/**
 * The whole audit log as newline-delimited JSON, oldest first, one entry a line; the last line holds the verdict on its
 * chain, `{"chain": …}`. For who may ask `audit.list`.
 */
export const AUDIT_EXPORT_PATH = '/api/v1/audit/export'
/** What somebody needs to tell what is wrong with a Septet, as an archive without secrets; for admins. `?names=kept` keeps names. */
export const DIAGNOSTICS_PATH = '/api/v1/diagnostics'
/** Where a report is kept as a file: `/api/v1/report/files/pdf` and the like, with the input of `report.get` as query. */
export const REPORT_FILES_PATH = '/api/v1/report/files'
/** Where programs ask by the Model Context Protocol. */
export const MCP_PATH = '/mcp'
/** Where the page asks how to sign in; public. */
export const SIGN_IN_INFO_PATH = '/auth/sign-in.json'
/** Where the page asks whether an address may sign up: `POST {email}` answers `{allowed}`; public, limited in rate. */
export const MAY_SIGN_UP_PATH = '/auth/may-sign-up'
/**
 * Where people come in by the word of a sign-in provider; only where one is set. `GET /start?next=` leads there, and back
 * to the sign-in page with `?sso=done` or a `SsoProblemCode`; `POST /session` then gives that browser its session, once.
 */
export const SSO_PATH = '/auth/sso'
/** Where a command line asks to be signed in: `POST` with a `LoginWishSchema`; public, limited in rate. */
export const LOGINS_PATH = '/auth/logins'
/** Where it asks what came of that, and gets its token once: `POST` with a `LoginProofSchema`; public, limited in rate. */
export const LOGIN_REDEMPTION_PATH = '/auth/logins/redemption'
/** The page on which a person decides. */
export const LOGIN_PAGE = '/dashboard/login'
/** `PUT` with a bearer token lets the browser open pages under `/dashboard` (a cookie that opens pages and nothing else); `DELETE` takes that back. */
export const PAGE_PASS_PATH = '/auth/page-pass'
