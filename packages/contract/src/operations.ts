import { auditList, mailsList } from './audit.ts'
import { clustersList } from './clusters.ts'
import { costBreakdown, findingsList, modelsList, pricesList, pricesPut, pricesRemove, qualityGet } from './cost.ts'
import { fleetGpu, fleetMap } from './fleet.ts'
import { membersList, membersPut, membersRemove } from './members.ts'
import { costMonths } from './months.ts'
import { partitionsList, workloadsList } from './partitions.ts'
import {
  recommendationsDismiss,
  recommendationsGet,
  recommendationsList,
  recommendationsRestore,
} from './recommendations.ts'
import { sessionMe, sessionsList, sessionsRevoke } from './sessions.ts'
import { summaryGet, utilizationTrend } from './summary.ts'
import { tenantsGet, tenantsPut } from './tenants.ts'
import { tokensCreate, tokensList, tokensRevoke } from './tokens.ts'

/** The one list. A new operation added here appears in every face at once. */
export const OPERATIONS = {
  clustersList,
  summaryGet,
  utilizationTrend,
  partitionsList,
  fleetMap,
  fleetGpu,
  workloadsList,
  costBreakdown,
  costMonths,
  findingsList,
  recommendationsList,
  recommendationsGet,
  recommendationsDismiss,
  recommendationsRestore,
  qualityGet,
  pricesList,
  pricesPut,
  pricesRemove,
  modelsList,
  tenantsGet,
  tenantsPut,
  sessionMe,
  sessionsList,
  sessionsRevoke,
  membersList,
  membersPut,
  membersRemove,
  tokensList,
  tokensCreate,
  tokensRevoke,
  auditList,
  mailsList,
} as const

export type OperationKey = keyof typeof OPERATIONS
