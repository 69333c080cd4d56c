import * as about from './schemas/about.ts'
import * as actPolicies from './schemas/act-policies.ts'
import * as actions from './schemas/actions.ts'
import * as agents from './schemas/agents.ts'
import * as alerts from './schemas/alerts.ts'
import * as audit from './schemas/audit.ts'
import * as budgets from './schemas/budgets.ts'
import * as channels from './schemas/channels.ts'
import * as clusters from './schemas/clusters.ts'
import * as connections from './schemas/connections.ts'
import * as copilot from './schemas/copilot.ts'
import * as cost from './schemas/cost.ts'
import * as demoFaults from './schemas/demo-faults.ts'
import * as fleet from './schemas/fleet.ts'
import * as logins from './schemas/logins.ts'
import * as members from './schemas/members.ts'
import * as months from './schemas/months.ts'
import * as partitionEfficiency from './schemas/partition-efficiency.ts'
import * as partitionRoom from './schemas/partition-room.ts'
import * as partitions from './schemas/partitions.ts'
import * as plans from './schemas/plans.ts'
import * as policies from './schemas/policies.ts'
import * as opencost from './schemas/opencost.ts'
import * as prices from './schemas/prices.ts'
import * as recommendations from './schemas/recommendations.ts'
import * as report from './schemas/report.ts'
import * as retention from './schemas/retention.ts'
import * as savings from './schemas/savings.ts'
import * as scenarios from './schemas/scenarios.ts'
import * as search from './schemas/search.ts'
import * as person from './schemas/person.ts'
import * as sessions from './schemas/sessions.ts'
import * as shadow from './schemas/shadow.ts'
import * as summary from './schemas/summary.ts'
import * as tenantPreview from './schemas/tenant-preview.ts'
import * as tenants from './schemas/tenants.ts'
import * as tokens from './schemas/tokens.ts'
import * as totals from './schemas/totals.ts'
import * as admission from './schemas/admission.ts'
import * as starts from './schemas/starts.ts'
import * as waits from './schemas/waits.ts'
import * as workloadDetail from './schemas/workload-detail.ts'
import * as workloads from './schemas/workloads.ts'
import { ROUTES, type OperationKey } from './routes.ts'

const DECLARED = {
  ...about,
  ...actions,
  ...actPolicies,
  ...agents,
  ...alerts,
  ...audit,
  ...budgets,
  ...channels,
  ...clusters,
  ...connections,
  ...copilot,
  ...cost,
  ...demoFaults,
  ...fleet,
  ...logins,
  ...members,
  ...months,
  ...partitionEfficiency,
  ...partitionRoom,
  ...partitions,
  ...plans,
  ...policies,
  ...opencost,
  ...prices,
  ...recommendations,
  ...report,
  ...retention,
  ...savings,
  ...scenarios,
  ...search,
  ...person,
  ...sessions,
  ...shadow,
  ...summary,
  ...tenantPreview,
  ...tenants,
  ...tokens,
  ...totals,
  ...starts,
  ...waits,
  ...admission,
  ...workloadDetail,
  ...workloads,
}

/** Every operation, route and schemas together. The compiler asks for the schemas of a route that has none. */
export const OPERATIONS: Pick<typeof DECLARED, OperationKey> = onlyRouted(DECLARED)

function onlyRouted<Declared extends Record<OperationKey, unknown>>(declared: Declared): Pick<Declared, OperationKey> {
  const keys = new Set(Object.keys(ROUTES))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is kept is just what the type names
  return Object.fromEntries(Object.entries(declared).filter(([key]) => keys.has(key))) as Pick<Declared, OperationKey>
}
