import type { Caller, RecommendationStore, Store } from '@septet/domain'

import { readTenants } from '../../tenants.ts'
import type { Answering } from '../answering/answering.ts'
import { liveWorkload } from './workload-detail.ts'
import { liveWorkloads } from './workloads.ts'

type WorkloadNeeds = {
  readonly store: Store
  /** The recommendations that a caller may see. */
  readonly recommendations: (caller: Caller) => RecommendationStore
}

/** What runs, what waits and why, and one workload in full. */
export const workloadAnswers = (answer: Answering, { store, recommendations }: WorkloadNeeds) => ({
  workloadsList: answer.ofCluster('workloadsList', async (cluster, input) =>
    liveWorkloads(cluster, input, await readTenants(store.settings)),
  ),
  workloadsGet: answer.ofCluster('workloadsGet', async (cluster, input, { caller }) =>
    liveWorkload(cluster, input, {
      store,
      recommendations: recommendations(caller),
      rules: await readTenants(store.settings),
      limited: caller.namespaces !== undefined,
    }),
  ),
})
