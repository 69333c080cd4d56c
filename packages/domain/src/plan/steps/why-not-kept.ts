import { agree, firstFew } from '../../words.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuId, Problem } from '../../cluster/node.ts'
import type { Pod, PodId } from '../../cluster/workload.ts'
import { rollBack, type Fleet } from '../../fleet/fleet.ts'
import type { Plan } from '../words/action.ts'
import type { PlanPolicy } from '../words/plan-policy.ts'
import { heldGpus } from './kube-scheduler.ts'
import { StepReplay } from './step-replay.ts'

/** What a plan says will be so once its last step is done. */
export type PlanPromise = {
  readonly policy: PlanPolicy
  /**
   * Pods that run then: of those that are displaced the ones that may not wait, and those that it starts; each with the node
   * that it leaves or starts on, as that part of the plan is the one that would not hold.
   */
  readonly runs: readonly PromisedPod[]
  /** GPUs that nobody holds then. */
  readonly free: readonly GpuId[]
}

type PromisedPod = {
  readonly pod: PodId
  readonly node: string | undefined
  /** Another one that waited and asks for the same will do. */
  readonly orAlike?: boolean
}

/**
 * Why a plan does not keep what it promises when its own steps are carried out as they stand, with Kubernetes' scheduler
 * placing pods in between; undefined where it does. `object` is the node whose part of the plan does not hold.
 */
export function whyNotKept(plan: Plan, snapshot: ClusterSnapshot, promise: PlanPromise): Problem | undefined {
  if (plan.steps.length === 0) return undefined
  const replay = new StepReplay(snapshot, promise.policy)
  try {
    return replay.done(plan.steps) ?? brokenAt(replay.state, promise)
  } finally {
    rollBack(replay.state, 0)
  }
}

function brokenAt(state: Fleet, { runs, free }: PlanPromise): Problem | undefined {
  const alike = startedAlike(state, runs)
  const waiting = runs.filter(({ pod: id, orAlike = false }) => {
    const pod = state.pods.get(id)
    return pod !== undefined && pod.node === undefined && !(orAlike && alike(pod))
  })
  const [first] = waiting
  if (first !== undefined) {
    const names = firstFew(waiting.map(({ pod }) => pod).toSorted(), 3)
    return {
      code: 'not-kept',
      object: first.node === undefined ? `pod/${first.pod}` : `node/${first.node}`,
      message: `Kubernetes’ scheduler would leave ${names} waiting: it starts pods on the least allocated nodes, and then no room is left for ${agree(waiting.length, 'it', 'them')}.`,
    }
  }
  const held = free.length === 0 ? undefined : heldGpus(state)
  const taken = free.find((gpu) => held?.has(gpu) === true)
  if (taken === undefined) return undefined
  const node = state.nodeOfGpu.get(taken) ?? ''
  return {
    code: 'not-kept',
    object: `node/${node}`,
    message: `GPU ${taken} of ${node} would not stay free: Kubernetes’ scheduler would start ${held?.get(taken) ?? 'a pod'} on it.`,
  }
}

const askOf = ({ requests }: Pod): string => JSON.stringify(requests)

/** Whether so many pods that ask for the same have started as were to. */
function startedAlike({ began, pods }: Fleet, runs: readonly PromisedPod[]): (pod: Pod) => boolean {
  const promised = new Set(runs.flatMap(({ pod, orAlike = false }) => (orAlike ? pod : [])))
  const waited = promised.size === 0 ? [] : began.pods.filter(({ node }) => node === undefined)
  const byAsk = Map.groupBy(waited, askOf)
  return (pod) => {
    const own = byAsk.get(askOf(pod)) ?? []
    const started = own.filter(({ id }) => pods.get(id)?.node !== undefined).length
    return started >= own.filter(({ id }) => promised.has(id)).length
  }
}
