import type { Caller, GpuNode, ReadManifest, RecommendationStore, Store } from '@septet/domain'

import { readTenants } from '../../tenants.ts'
import type { AnswersOf } from '../answering/answering.ts'
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
export const workloadAnswers = ({
  store,
  recommendations,
  nodesOf,
  readManifest,
  now,
}: WorkloadNeeds): AnswersOf<'workloads' | 'starts' | 'queue'> => ({
  workloadsList: async (facts, input) => liveWorkloads(facts, input, await readTenants(store.settings)),
  workloadsGet: async (facts, input, { caller }) =>
    liveWorkload(facts, input, {
      store,
      recommendations: recommendations(caller),
      rules: await readTenants(store.settings),
      limited: caller.namespaces !== undefined,
    }),
  startsCheck: (facts, input, { caller: { namespaces }, listening: { signal } }) =>
    liveStarts(facts, input, { store, readManifest, now, namespaces, signal }),
  queueWaits: (facts, input, { caller: { namespaces } }) =>
    liveWaits(facts, input, { store, namespaces, nodes: nodesOf(facts.record.id) }),
})
