import {
  studySizeIn,
  whyWaits,
  type ClusterReader,
  type ClusterSnapshot,
  type OverrunModel,
  type Pod,
  type RecommendPolicy,
  type SizeStudy,
  type Store,
  type Workload,
  type WorkloadId,
} from '@septet/domain'

import type { WorkloadDetail } from '../facts.ts'
import type { Segment } from '../usage/segments.ts'

export type DetailSources = {
  readonly snapshot: ClusterSnapshot
  readonly reader: Pick<ClusterReader, 'objectsOf'>
  readonly store: Pick<Store, 'usage' | 'recommendations'>
  /** Which rows its size is judged by. */
  readonly segments: readonly Segment[]
  readonly overrun: OverrunModel | undefined
  readonly policy?: RecommendPolicy
}

/** Pods told of one workload; a job of thousands is told by these. */
const MOST_PODS = 500

/** All that is known of one workload; undefined when the snapshot has none of that name. */
export async function detailOf(id: WorkloadId, sources: DetailSources): Promise<WorkloadDetail | undefined> {
  const { snapshot, reader } = sources
  const workload = snapshot.workloads.find((one) => one.id === id)
  if (workload === undefined) return undefined
  const pods = snapshot.pods.filter((pod) => pod.workload === id)
  return {
    workload,
    pods: pods.slice(0, MOST_PODS),
    podCount: pods.length,
    objects: reader.objectsOf(workload),
    wait:
      workload.status === 'queued' || pods.some(isWaiting)
        ? whyWaits(snapshot, workload, pods.find(isWaiting))
        : undefined,
    size: workload.status === 'running' ? await sizeOf(workload, sources) : undefined,
  }
}

const isWaiting = ({ node }: Pod): boolean => node === undefined

async function sizeOf(
  workload: Workload,
  { snapshot, store, segments, overrun, policy }: DetailSources,
): Promise<SizeStudy | string> {
  const read = segments.map(({ span, window }) =>
    store.usage.rows({ cluster: snapshot.cluster, span, window, workloads: [workload.id] }),
  )
  const [rows, made] = await Promise.all([Promise.all(read), store.recommendations.current(snapshot.cluster)])
  return studySizeIn(workload.id, { snapshot, rows: rows.flat(), overrun, policy, previous: made?.recommendations })
}
