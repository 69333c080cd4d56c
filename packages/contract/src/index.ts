export {
  AUDIT_EXPORT_PATH,
  COPILOT_STREAM_PATH,
  SIGN_IN_INFO_PATH,
  EVENTS_PATH,
  LOGIN_PAGE,
  LOGIN_REDEMPTION_PATH,
  LOGINS_PATH,
  MAY_SIGN_UP_PATH,
  MCP_PATH,
  PAGE_PASS_PATH,
  REPORT_FILES_PATH,
  SSO_PATH,
} from './routes.ts'
export type { OperationKey } from './routes.ts'
export type { InputOf, Operation, OutputOf } from './operation.ts'
export type { FiguresOf, Says } from './says.ts'
export { ProblemDocumentSchema, RangeText } from './schemas/figure.ts'
export type { FigureView, ProblemDocument } from './schemas/figure.ts'
export {
  actingResume,
  actingStop,
  actionsApprove,
  actionsFiles,
  actionsGet,
  actionsList,
  actionsPropose,
  actionsReject,
  actionsUndo,
  appointmentsPropose,
} from './schemas/actions.ts'
export { ActPolicySchema, actPoliciesGet } from './schemas/act-policies.ts'
export { demoFaultsAdd, demoFaultsList } from './schemas/demo-faults.ts'
export type { ActionView } from './schemas/actions.ts'
export { savingsList } from './schemas/savings.ts'
export { shadowGet } from './schemas/shadow.ts'
export { clustersList } from './schemas/clusters.ts'
export { clustersTotals, recommendationsTotals } from './schemas/totals.ts'
export { summaryGet, utilizationTrend } from './schemas/summary.ts'
export { BlockSchema, GpuViewSchema, NODE_STATES, partitionsList } from './schemas/partitions.ts'
export type { BlockView, GpuView } from './schemas/partitions.ts'
export { WORKLOAD_SORTS, workloadsList } from './schemas/workloads.ts'
export { workloadsGet } from './schemas/workload-detail.ts'
export { queueWaits } from './schemas/waits.ts'
export { fleetGpu, fleetMap, type FleetFrame, type FleetNow } from './schemas/fleet.ts'
export { partitionsEfficiency } from './schemas/partition-efficiency.ts'
export { partitionsRoom } from './schemas/partition-room.ts'
export { plansGet, plansMake } from './schemas/plans.ts'
export type { MadePlan, PlanGoal, PlanWish } from './schemas/plans.ts'
export { startsCheck } from './schemas/starts.ts'
export { costBreakdown, modelsList, qualityGet, tenantsExport } from './schemas/cost.ts'
export { budgetsList, budgetsPut, BudgetsSchema, costDays } from './schemas/budgets.ts'
export { pricesPut, pricesUsed } from './schemas/prices.ts'
export { costMonths } from './schemas/months.ts'
export { recommendationsGet, recommendationsList } from './schemas/recommendations.ts'
export type { RecommendationView } from './schemas/recommendations.ts'
export {
  REPORT_FILES,
  reportGet,
  ReportScheduleSchema,
  reportSchedulesList,
  reportSchedulesPut,
} from './schemas/report.ts'
export type { ReportFile } from './schemas/report.ts'
export { scenariosInput } from './schemas/scenarios.ts'
export { searchFind } from './schemas/search.ts'
export { sessionMe } from './schemas/sessions.ts'
export { LoginBegunSchema, LoginProofSchema, LoginRedeemedSchema, LoginWishSchema } from './schemas/logins.ts'
export { membersList, membersPut } from './schemas/members.ts'
export { personExport } from './schemas/person.ts'
export { tokensList, tokensRevoke } from './schemas/tokens.ts'
export { tenantsGet, TenantsSchema } from './schemas/tenants.ts'
export { AlertRulesSchema, alertsList, type AlertView } from './schemas/alerts.ts'
export type { DeliveryView } from './schemas/channels.ts'
export { auditList } from './schemas/audit.ts'
export {
  connectionsActor,
  connectionsAdd,
  connectionsContexts,
  connectionsList,
  connectionsMetrics,
  connectionsRotate,
  connectionsTested,
} from './schemas/connections.ts'
export { tenantsPreview } from './schemas/tenant-preview.ts'
export { policiesGet, PoliciesSchema } from './schemas/policies.ts'
export { RetentionDaysSchema, retentionGet, retentionPut } from './schemas/retention.ts'
export { agentsCalls, agentsGet } from './schemas/agents.ts'
export { CopilotAnswerSchema, type CopilotAnswer } from './schemas/copilot.ts'
export { aboutGet } from './schemas/about.ts'
export { OPERATIONS } from './operations.ts'
export { ServerEventSchema, type ServerEvent } from './events.ts'
export type { SignInInfo, SsoProblemCode } from './sign-in-info.ts'
export {
  invalidInput,
  notAllowed,
  notFound,
  notReady,
  notSignedIn,
  problemDocument,
  Refusal,
  REFUSALS,
  type RefusalCode,
} from './refusal.ts'
export { htmlEscape } from './html-escape.ts'
export { plainWords, wrongFields } from './wrong-fields.ts'
