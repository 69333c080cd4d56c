import { aboutGet } from './about.ts'
import {
  alertRulesGet,
  alertRulesPut,
  alertsAcknowledge,
  alertsList,
  alertsPrometheusRule,
  alertsSilence,
} from './alerts.ts'
import { auditList, mailsList } from './audit.ts'
import {
  channelsList,
  channelsPut,
  channelsRemove,
  channelsTest,
  deliveriesList,
  deliveriesRedeliver,
} from './channels.ts'
import { budgetsList, budgetsPut, budgetsRemove, costDays, pricesUsed } from './budgets.ts'
import { clustersList } from './clusters.ts'
import {
  connectionsAdd,
  connectionsContexts,
  connectionsList,
  connectionsRemove,
  connectionsRename,
  connectionsTest,
  connectionsTested,
} from './connections.ts'
import { costBreakdown, findingsList, modelsList, pricesList, pricesPut, pricesRemove, qualityGet } from './cost.ts'
import { fleetGpu, fleetMap } from './fleet.ts'
import { membersList, membersPut, membersRemove } from './members.ts'
import { costMonths } from './months.ts'
import { partitionsEfficiency } from './partition-efficiency.ts'
import { partitionsRoom } from './partition-room.ts'
import { partitionsList } from './partitions.ts'
import { plansDraft } from './plan-drafts.ts'
import {
  recommendationsDismiss,
  recommendationsGet,
  recommendationsList,
  recommendationsRestore,
} from './recommendations.ts'
import { reportGet, reportSchedulesList, reportSchedulesPut, reportSchedulesRemove } from './report.ts'
import { searchFind } from './search.ts'
import { policiesGet, policiesPut } from './policies.ts'
import { retentionGet, retentionPut } from './retention.ts'
import { scenariosCancel, scenariosGet, scenariosInput, scenariosStart } from './scenarios.ts'
import { sessionMe, sessionsList, sessionsRevoke } from './sessions.ts'
import { summaryGet, utilizationTrend } from './summary.ts'
import { tenantsPreview } from './tenant-preview.ts'
import { tenantsGet, tenantsPut } from './tenants.ts'
import { tokensCreate, tokensList, tokensRevoke } from './tokens.ts'
import { workloadsGet } from './workload-detail.ts'
import { workloadsList } from './workloads.ts'

/** The one list. A new operation added here appears in every face at once. */
export const OPERATIONS = {
  clustersList,
  summaryGet,
  utilizationTrend,
  partitionsList,
  fleetMap,
  fleetGpu,
  partitionsEfficiency,
  partitionsRoom,
  plansDraft,
  workloadsList,
  workloadsGet,
  costBreakdown,
  costMonths,
  findingsList,
  recommendationsList,
  recommendationsGet,
  recommendationsDismiss,
  recommendationsRestore,
  qualityGet,
  costDays,
  budgetsList,
  budgetsPut,
  budgetsRemove,
  pricesUsed,
  pricesList,
  pricesPut,
  pricesRemove,
  modelsList,
  tenantsGet,
  tenantsPut,
  scenariosInput,
  scenariosStart,
  scenariosGet,
  scenariosCancel,
  searchFind,
  reportGet,
  reportSchedulesList,
  reportSchedulesPut,
  reportSchedulesRemove,
  sessionMe,
  sessionsList,
  sessionsRevoke,
  membersList,
  membersPut,
  membersRemove,
  tokensList,
  tokensCreate,
  tokensRevoke,
  alertsList,
  alertsAcknowledge,
  alertsSilence,
  alertsPrometheusRule,
  alertRulesGet,
  alertRulesPut,
  channelsList,
  channelsPut,
  channelsRemove,
  channelsTest,
  deliveriesList,
  deliveriesRedeliver,
  auditList,
  mailsList,
  connectionsList,
  connectionsContexts,
  connectionsTest,
  connectionsTested,
  connectionsAdd,
  connectionsRename,
  connectionsRemove,
  policiesGet,
  policiesPut,
  retentionGet,
  retentionPut,
  aboutGet,
  tenantsPreview,
} as const

export type OperationKey = keyof typeof OPERATIONS
