import { OPERATIONS } from '@septet/contract'
import type { RecommendationStore, Store } from '@septet/domain'

import type { Caller } from '@septet/domain'
import type { ClusterFacts } from '../../facts.ts'
import { Refusal } from '@septet/contract'
import { readTenants } from '../../tenants.ts'
import type { Answering } from '../answering/answering.ts'
import { sampleWorkloads } from '../sample/sample.ts'
import { chooseCluster } from '../answering/source.ts'
import type { VisibleFacts } from '../answering/visible-facts.ts'
import { liveWorkload } from './workload-detail.ts'
import { liveWorkloads } from './workloads.ts'

type WorkloadNeeds = {
  readonly store: Store
  /** The recommendations that a caller may see. */
  readonly recommendations: (caller: Caller) => RecommendationStore
}

/** What runs, what waits and why, and one workload in full. */
export const workloadAnswers = (answer: Answering, { store, recommendations }: WorkloadNeeds) => ({
  workloadsList: answer(OPERATIONS.workloadsList, async (input, { seen }) => {
    const live = chooseCluster(seen, input.cluster)
    return live === undefined ? sampleWorkloads(input) : liveWorkloads(live, input, await readTenants(store.settings))
  }),
  workloadsGet: answer(OPERATIONS.workloadsGet, async (input, { seen, caller }) =>
    liveWorkload(needLive(seen, input.cluster), input, {
      store,
      recommendations: recommendations(caller),
      rules: await readTenants(store.settings),
      limited: caller.namespaces !== undefined,
    }),
  ),
})

function needLive(seen: VisibleFacts, id: string | undefined): ClusterFacts {
  const live = chooseCluster(seen, id)
  if (live !== undefined) return live
  throw new Refusal(
    'not-found',
    'Sample data are fixed figures: there are no pods, owners or events behind its workloads.',
    'Choose a cluster or the demo cluster; /api/v1/clusters lists them.',
  )
}
