import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { PodId, WorkloadId } from '../../cluster/workload.ts'
import type { Plan } from '../../plan/words/action.ts'
import type { Ruled, StepAsk } from './decision.ts'
import { nodeRef } from './node-steps.ts'
import type { ObjectFacts } from '../guardrails/act-context.ts'
import { keepOf } from '../owners/keep.ts'
import { ownerOfObject } from '../owners/owner-of-object.ts'
import { topStoppable } from './top-object.ts'

type Looking = Generator<StepAsk, readonly ObjectFacts[], Ruled>

/**
 * What the live objects say that a plan writes to or disturbs: its nodes, the pods that stop, and whatever owns these. What is
 * gone says nothing.
 */
export function* lookAtObjects({ steps }: Pick<Plan, 'steps'>, { pods }: ClusterSnapshot): Looking {
  const nodes = new Set(steps.flatMap(({ action }) => ('node' in action ? [action.node] : [])))
  const stopped = new Set(steps.flatMap(({ action, displaced }) => (action.kind === 'evict' ? action.pod : displaced)))
  const workloads = new Set([
    ...steps.flatMap(({ action }) => ('workload' in action ? [action.workload] : [])),
    ...pods.flatMap(({ id, workload }) => (stopped.has(id) ? [workload] : [])),
  ])
  const found: ObjectFacts[] = []
  for (const node of nodes) found.push(...(yield* lookAtNode(node)))
  for (const workload of workloads) found.push(...(yield* lookAtWorkload(workload)))
  for (const pod of stopped) found.push(...(yield* lookAtPod(pod)))
  return found
}

/** Anyone who made a node does not take away labels and taints that others set. */
function* lookAtNode(name: string): Looking {
  const [live] = yield { kind: 'object', object: nodeRef(name) }
  return live === undefined ? [] : [{ ...UNOWNED, object: `node/${name}`, keep: keepOf(live) }]
}

function* lookAtWorkload(workload: WorkloadId): Looking {
  const top = yield* topStoppable(workload)
  if (top === undefined) return []
  const { live } = top
  return [{ object: `workload/${workload}`, keep: keepOf(live), owner: ownerOfObject(live), autoscaler: undefined }]
}

/** By a list, as whoever may stop a workload may list its pods. */
function* lookAtPod(pod: PodId): Looking {
  const [namespace = '', name = ''] = pod.split('/')
  const [live] = yield {
    kind: 'objects',
    objects: { group: '', version: 'v1', resource: 'pods', namespace },
    fieldSelector: `metadata.name=${name}`,
  }
  return live === undefined ? [] : [{ ...UNOWNED, object: `pod/${pod}`, keep: keepOf(live) }]
}

const UNOWNED = { owner: { kind: 'free', tool: undefined, application: '' }, autoscaler: undefined } as const
