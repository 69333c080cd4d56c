import { OPERATIONS } from '@septet/contract'
import type { Store } from '@septet/domain'

import type { Answering } from './answering.ts'
import { getTenants, putTenants } from './tenant-rules.ts'

type CostNeeds = { readonly store: Store }

/** What is set and told about money beside the cost of one cluster: who is charged. */
export const costAnswers = (answer: Answering, { store }: CostNeeds) => ({
  tenantsGet: answer(OPERATIONS.tenantsGet, () => getTenants(store.settings)),
  tenantsPut: answer(OPERATIONS.tenantsPut, (input) => putTenants(store.settings, input)),
})
