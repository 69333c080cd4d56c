import { OPERATIONS } from '@septet/contract'
import type { Store } from '@septet/domain'

import type { Answering } from '../answering/answering.ts'
import { liveBudgets, liveDays, putBudget, removeBudget } from './budgets.ts'
import { liveCost, livePricesUsed } from './cost.ts'
import { sampleBudgets, sampleCost, sampleDays, samplePricesUsed } from '../sample/sample-cost.ts'
import { chooseCluster } from '../answering/source.ts'
import { getTenants, putTenants } from './tenant-rules.ts'

type CostNeeds = { readonly store: Store; readonly now: () => number }

/** What is told of money, and what is set: budgets, and who is charged. */
export const costAnswers = (answer: Answering, { store, now }: CostNeeds) => ({
  costBreakdown: answer(OPERATIONS.costBreakdown, (input, { seen }) => {
    const cluster = chooseCluster(seen, input.cluster)
    return cluster === undefined ? sampleCost(input.by) : liveCost(cluster, input, store.settings)
  }),
  costDays: answer(OPERATIONS.costDays, (input, { seen, caller: { namespaces } }) => {
    const cluster = chooseCluster(seen, input.cluster)
    return cluster === undefined ? sampleDays(input.zone) : liveDays(cluster, input, { store, now: now(), namespaces })
  }),
  budgetsList: answer(OPERATIONS.budgetsList, (input, { seen, caller: { namespaces } }) => {
    const cluster = chooseCluster(seen, input.cluster)
    return cluster === undefined ? sampleBudgets() : liveBudgets(cluster, input, { store, now: now(), namespaces })
  }),
  pricesUsed: answer(OPERATIONS.pricesUsed, (input, { seen }) => {
    const cluster = chooseCluster(seen, input.cluster)
    return cluster === undefined ? samplePricesUsed() : livePricesUsed(cluster, input)
  }),
  budgetsPut: answer(OPERATIONS.budgetsPut, (input) => putBudget(store, input)),
  budgetsRemove: answer(OPERATIONS.budgetsRemove, (input) => removeBudget(store, input)),
  tenantsGet: answer(OPERATIONS.tenantsGet, () => getTenants(store.settings)),
  tenantsPut: answer(OPERATIONS.tenantsPut, (input) => putTenants(store.settings, input)),
})
