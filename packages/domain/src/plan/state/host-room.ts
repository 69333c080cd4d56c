import { hostLeft, type HostLeft } from '../../cluster/host-left.ts'
import type { GpuNode } from '../../cluster/node.ts'
import type { Pod } from '../../cluster/workload.ts'
import { nodeRefusal } from '../../cluster/node-rules.ts'
import { podsOn, type PlanState } from './plan-state.ts'

/** CPU and memory of nodes, given out to the pods that a plan displaces; what is not known of a node does not bind. */
export type HostRoom = {
  /** Why the pod may not run on the node, in a few words; undefined: it may, and its CPU and memory are taken. */
  readonly take: (pod: Pod, node: GpuNode, rules: 'own' | 'taints-only') => string | undefined
}

/** The room beside GPUs as the state is now. `taints-only` is for work whose node selector the plan replaces. */
export function openHostRoom(state: PlanState): HostRoom {
  const free = new Map<string, HostLeft>()
  return {
    take: (pod, node, rules) => {
      const { scheduling } = pod
      const own = rules === 'own' ? scheduling : { ...scheduling, nodeSelector: {}, nodeTerms: [] }
      const refusal = nodeRefusal(own, node.room)
      if (refusal !== undefined) return refusal
      const left = free.get(node.name) ?? hostLeft(node, podsOn(state, node.name))
      if (scheduling.cpuMilli > left.cpuMilli) return 'too little CPU is free there'
      if (scheduling.memory > left.memory) return 'too little memory is free there'
      free.set(node.name, {
        cpuMilli: left.cpuMilli - scheduling.cpuMilli,
        memory: left.memory - scheduling.memory,
      })
      return undefined
    },
  }
}
