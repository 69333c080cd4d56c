import { onceFor } from '../../once-for.ts'
import type { Pod } from '../../cluster/workload.ts'
import type { IndexedFleet } from '../../fleet/indexed-fleet.ts'

/** What pods that have yet to be seated ask for in all. */
export type LikeDemand = {
  readonly cpuMilli: number
  readonly memory: number
  /** Whether one of them needs several partitions on one node. */
  readonly joint: boolean
}

/**
 * Equal for nodes on which these pods would fare the same. CPU and memory count only where they could run out, and the
 * other GPUs of the node only where something ties them together.
 */
export function nodeLikeness(fleet: IndexedFleet, node: number, { cpuMilli, memory, joint }: LikeDemand): string {
  const { frame } = fleet
  const left = fleet.hostAt(node)
  const cpu = left.cpuMilli >= cpuMilli ? '*' : left.cpuMilli
  const room = left.memory >= memory ? '*' : left.memory
  const mates = cpu === '*' && room === '*' && !joint ? '' : fleet.mates(node)
  return `${frame.ruleClass(node)}/${cpu}/${room}/${mates}`
}

/** Equal for pods that may run in the same places. */
export const podLikeness: (pod: Pod) => string = onceFor(({ namespace, scheduling }: Pod) => {
  const { cpuMilli, memory, nodeSelector, nodeTerms, tolerations } = scheduling
  const isFree = nodeTerms.length === 0 && tolerations.length === 0 && Object.keys(nodeSelector).length === 0
  const rules = isFree ? '' : JSON.stringify([nodeSelector, nodeTerms, tolerations])
  return `${namespace} ${cpuMilli} ${memory} ${rules}`
})
