import type { Caller, GpuNode, ReadManifest, RecommendationStore, Store } from '@septet/domain'

import { readTenants } from '../../tenants.ts'
import type { Answering } from '../answering/answering.ts'
import { liveStarts } from './starts.ts'
import { liveWaits } from './waits.ts'
import { liveWorkload } from './workload-detail.ts'
import { liveWorkloads } from './workloads.ts'

type WorkloadNeeds = {
  readonly store: Store
  /** The recommendations that a caller may see. */
  readonly recommendations: (caller: Caller) => RecommendationStore
  readonly readManifest: ReadManifest
  readonly now: () => number
  /** All nodes of a cluster, whose labels say what its GPUs cost. */
  readonly nodesOf: (cluster: string) => readonly GpuNode[]
}

/** What runs, what waits and why, and one workload in full. */
export const workloadAnswers = (
  answer: Answering,
  { store, recommendations, nodesOf, readManifest, now }: WorkloadNeeds,
) => ({
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
  startsCheck: answer.ofCluster('startsCheck', (cluster, input, { caller: { namespaces }, listening: { signal } }) =>
    liveStarts(cluster, input, { store, readManifest, now, namespaces, signal }),
  ),
  queueWaits: answer.ofCluster('queueWaits', (cluster, input, { caller: { namespaces } }) =>
    liveWaits(cluster, input, { store, namespaces, nodes: nodesOf(cluster.record.id) }),
  ),
})
