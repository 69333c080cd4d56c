import { compareText } from '../../units.ts'
import type { Pod, PodId, WorkloadId } from '../../cluster/workload.ts'
import type { Action } from '../words/action.ts'
import type { Fleet } from '../../fleet/fleet.ts'

/** Pods that stop through an action, in a fixed order. Only running pods are displaced; a waiting one loses nothing. */
export function displacedBy(action: Action, state: Fleet): readonly PodId[] {
  if (action.kind === 'evict') return [action.pod]
  if (action.kind === 'resize') return bound(podsOf(state, action.workload))
  if (action.kind === 'scale') return bound(removedByScale(state, action.workload, action.from - action.to))
  return []
}

/** Pods of a workload that still exist, in text order. */
export const podsOf = (state: Fleet, workload: WorkloadId): readonly Pod[] =>
  (state.workloads.get(workload)?.pods ?? []).flatMap((id) => state.pods.get(id) ?? []).toSorted(byId)

/**
 * The pods that go when a workload shrinks: of a StatefulSet the highest ordinals; else those that wait first, then the youngest,
 * as a ReplicaSet prefers. That one counts pods by node first, so this is an expectation.
 */
export function removedByScale(state: Fleet, workload: WorkloadId, count: number): readonly Pod[] {
  if (count <= 0) return []
  const [, kind] = workload.split('/')
  const order =
    kind === 'StatefulSet'
      ? (a: Pod, b: Pod) => ordinal(b) - ordinal(a)
      : (a: Pod, b: Pod) => rank(a) - rank(b) || b.createdAt - a.createdAt || compareText(b.id, a.id)
  return podsOf(state, workload).toSorted(order).slice(0, count)
}

const ordinal = ({ id }: Pod): number => Number(/-(\d+)$/u.exec(id)?.[1] ?? -1)

const rank = ({ node }: Pod): number => (node === undefined ? 0 : 1)
const byId = (a: Pod, b: Pod): number => compareText(a.id, b.id)
const bound = (pods: readonly Pod[]): readonly PodId[] =>
  pods.flatMap(({ id, node }) => (node === undefined ? [] : id)).toSorted()
