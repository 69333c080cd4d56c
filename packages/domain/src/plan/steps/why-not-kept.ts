import { agree, firstFew } from '../../words.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuId, Problem } from '../../cluster/node.ts'
import type { Pod, PodId } from '../../cluster/workload.ts'
import { rollBack, type Fleet } from '../../fleet/fleet.ts'
import type { Plan } from '../words/action.ts'
import type { PlanPolicy } from '../words/plan-policy.ts'
import { DEVICE_RANKS, heldGpus } from './kube-scheduler.ts'
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
 * placing pods in between; empty where it does. `object` is the node whose part of the plan does not hold.
 */
export function whyNotKept(plan: Plan, snapshot: ClusterSnapshot, promise: PlanPromise): readonly Problem[] {
  if (plan.steps.length === 0) return []
  for (const rank of DEVICE_RANKS) {
    const replay = new StepReplay(snapshot, promise, rank)
    try {
      const stuck = replay.done(plan.steps)
      const broken = stuck === undefined ? brokenAt(replay.state, promise) : [stuck]
      if (broken.length > 0 || !replay.scheduler.hadChoice) return broken
    } finally {
      rollBack(replay.state, 0)
    }
  }
  return []
}

function brokenAt(state: Fleet, { runs, free }: PlanPromise): readonly Problem[] {
  const alike = startedAlike(state, runs)
  const waiting = runs.filter(({ pod: id, orAlike = false }) => {
    const pod = state.pods.get(id)
    return pod !== undefined && pod.node === undefined && !(orAlike && alike(pod))
  })
  if (waiting.length > 0) {
    const names = firstFew(waiting.map(({ pod }) => pod).toSorted(), 3)
    const message = `Kubernetes’ scheduler would leave ${names} waiting: it starts pods on the least allocated nodes, and then no room is left for ${agree(waiting.length, 'it', 'them')}.`
    const objects = waiting.map(({ pod, node }) => (node === undefined ? `pod/${pod}` : `node/${node}`))
    return objects.map((object) => ({ code: 'not-kept', object, message }))
  }
  const held = free.length === 0 ? undefined : heldGpus(state)
  return free.flatMap((gpu): Problem | [] => {
    const holder = held?.get(gpu)
    const node = state.nodeOfGpu.get(gpu) ?? ''
    const message = `GPU ${gpu} of ${node} would not stay free: Kubernetes’ scheduler would start ${holder} on it.`
    return holder === undefined ? [] : { code: 'not-kept', object: `node/${node}`, message }
  })
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
