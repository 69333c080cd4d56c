import type { Store } from '@septet/domain'

import type { Answering } from '../answering/answering.ts'
import type { ClusterService } from '../clusters/cluster-service.ts'
import { liveBudgets, liveDays, putBudget, removeBudget } from './budgets.ts'
import { liveCost, livePricesUsed } from './cost.ts'
import { liveOpenCost, putOpenCost } from './opencost.ts'
import { exportTenant } from './tenant-export.ts'
import { getTenants, putTenants } from './tenant-rules.ts'

type CostNeeds = {
  readonly store: Store
  readonly now: () => number
  readonly clusters: Pick<ClusterService, 'openCost'>
}

/** What is told of money, and what is set: budgets, and who is charged. */
export const costAnswers = (answer: Answering, { store, now, clusters }: CostNeeds) => ({
  costBreakdown: answer.ofCluster('costBreakdown', (cluster, input) => liveCost(cluster, input, store.settings)),
  costDays: answer.ofCluster('costDays', (cluster, input, { caller: { namespaces } }) =>
    liveDays(cluster, input, { store, now: now(), namespaces }),
  ),
  budgetsList: answer.ofCluster('budgetsList', (cluster, input, { caller: { namespaces } }) =>
    liveBudgets(cluster, input, { store, now: now(), namespaces }),
  ),
  openCostCompare: answer.ofCluster('openCostCompare', (cluster, input) =>
    liveOpenCost(cluster, input, { settings: store.settings, clusters }),
  ),
  openCostPut: answer.ofSeptet('openCostPut', (input, { seen }) => putOpenCost(store.settings, seen, input)),
  pricesUsed: answer.ofCluster('pricesUsed', livePricesUsed),
  budgetsPut: answer.ofSeptet('budgetsPut', (input) => putBudget(store, input)),
  budgetsRemove: answer.ofSeptet('budgetsRemove', (input) => removeBudget(store, input)),
  tenantsGet: answer.ofSeptet('tenantsGet', () => getTenants(store.settings)),
  tenantsPut: answer.ofSeptet('tenantsPut', (input) => putTenants(store.settings, input)),
  tenantsExport: answer.ofSeptet('tenantsExport', (input, { seen }) =>
    exportTenant({ settings: store.settings, clusters: seen.clusters(), now: now() }, input),
  ),
})
